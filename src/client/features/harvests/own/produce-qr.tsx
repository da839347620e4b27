import { encode } from "uqr";
import classes from "./own-produce.module.css";

/** A code as a QR code, dark on white in both schemes, because scanners need it so. */
export default function ProduceQr({ code }: { code: string }) {
  const { data, size } = encode(code, { border: 2 });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : []))).join("");
  return (
    <svg className={classes.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={`QR code of ${code}`}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
