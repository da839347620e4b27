import Fastify from "fastify";

/** The least that a Fastify server can do. */
const app = Fastify();
app.get("/", async (_request, reply) => reply.type("application/json").send("{}"));
await app.listen({ port: Number(process.env.PORT), host: process.env.HOST ?? "127.0.0.1" });
console.log("listening");
