/** The parts that we use; the package has no types of its own. */
declare module "chroma-js" {
  type Color = {
    /** #rrggbb. */
    hex(): string;
    /** Hue in degrees (NaN of a grey), saturation and lightness from 0 to 1. */
    hsl(): [hue: number, saturation: number, lightness: number];
    /** Hue in degrees (NaN of a grey), saturation and value from 0 to 1. */
    hsv(): [hue: number, saturation: number, value: number];
  };
  function chroma(hex: string): Color;
  namespace chroma {
    function hsl(hue: number, saturation: number, lightness: number): Color;
  }
  export default chroma;
}
