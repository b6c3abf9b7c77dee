/** @type {import('next').NextConfig} */
const config = {
  // Each build has a folder for itself: the launcher names the one to build, or to run.
  distDir: process.env.GATEHOUSE_BUILD ?? '.next',
  // Types are `npm run check`'s business; a start need not wait for them.
  // Next would write the folder of each build into tsconfig.json.
  typescript: { ignoreBuildErrors: true, tsconfigPath: 'tsconfig.next.json' },
  poweredByHeader: false,
  reactStrictMode: true,
  productionBrowserSourceMaps: false,
  images: { unoptimized: true },
  serverExternalPackages: ['@photostructure/sqlite', '@node-rs/argon2', 'pino', 'prom-client', 'undici'],
  experimental: {
    // 100 MB beside each build, which no other build can use.
    turbopackFileSystemCacheForBuild: false,
    turbopackChunking: { requestCost: 1_000_000, minChunkSize: 200_000, maxChunkCountPerGroup: 8 },
  },
}

export default config
