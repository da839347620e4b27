FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build

FROM node:24-slim
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The Node that the scripts bring for machines with another one is superfluous here, and so is what draws PDFs.
RUN npm ci --omit=dev \
  && rm -rf node_modules/node-linux-* node_modules/.bin/node node_modules/@napi-rs/canvas* \
  && npm cache clean --force \
  && mkdir /data \
  && chown node:node /data
COPY --from=build /app/dist dist
COPY demo demo
COPY drizzle drizzle
COPY src/shared src/shared
COPY src/server src/server

ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
USER node
VOLUME /data
EXPOSE 3000
# Long enough for the migrations of a first start; the image has no curl.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
# No shell and no npm in between: SIGTERM reaches the server, which stops in order.
CMD ["node", "src/server/main.ts"]
