FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
# The server is a bundle: of the packages it needs those alone that it doesn't contain, without what draws PDFs.
RUN npm run build \
  && node scripts/prune-bundled.ts \
  && rm -rf node_modules/@napi-rs/canvas* node_modules/.cache

FROM node:24-slim
WORKDIR /app
RUN mkdir /data && chown node:node /data
COPY --from=build /app/package.json package.json
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY demo demo
COPY drizzle drizzle
COPY fonts fonts
COPY texts texts
# For the commands by npm, which ask whether there is a build.
COPY scripts/ensure-build.ts scripts/build-stamp.ts scripts/

ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
USER node
VOLUME /data
EXPOSE 3000
# Long enough for the migrations of a first start; the image has no curl.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
# No shell and no npm in between: SIGTERM reaches the server, which stops in order.
CMD ["node", "--enable-source-maps", "dist/.server/main.js"]
