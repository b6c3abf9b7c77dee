/** @type {import('next').NextConfig} */
const config = {
  // Types are `npm run check`'s business; a start need not wait for them.
  typescript: { ignoreBuildErrors: true },
  poweredByHeader: false,
  reactStrictMode: true,
  productionBrowserSourceMaps: false,
  images: { unoptimized: true },
  serverExternalPackages: ['@photostructure/sqlite', '@node-rs/argon2', 'pino', 'undici'],
  experimental: {
    turbopackChunking: { requestCost: 1_000_000, minChunkSize: 200_000, maxChunkCountPerGroup: 8 },
  },
}

export default config
