import { basename } from 'node:path'

const folder = process.env.GATEHOUSE_BUILD

// The launcher names the folder after the hash of the sources, so builds of the same sources share this id: docs/decisions/077-releases.md.
const id = folder === undefined ? undefined : basename(folder)

/** @type {import('next').NextConfig} */
const config = {
  // Each build has its own folder; the launcher chooses the one to build or run.
  distDir: folder ?? '.next',
  // A page of another build is loaded again when it is left. The build's own id has to be given too: Next would make it a constant.
  ...(id !== undefined && { deploymentId: id, generateBuildId: () => id }),
  // `npm run check` checks types, so that a start does not have to. The separate file keeps Next from editing tsconfig.json.
  typescript: { ignoreBuildErrors: true, tsconfigPath: 'tsconfig.next.json' },
  poweredByHeader: false,
  reactStrictMode: true,
  productionBrowserSourceMaps: false,
  images: { unoptimized: true },
  serverExternalPackages: ['@photostructure/sqlite', '@node-rs/argon2', 'pg', 'pino', 'prom-client', 'tr46', 'undici'],
  experimental: {
    // Each page's code is loaded with its first visit, because few pages are open at a time and all of them take tens of megabytes.
    preloadEntriesOnStart: false,
    // The cache would take 100 MB per build, and no other build could use it.
    turbopackFileSystemCacheForBuild: false,
    turbopackChunking: { requestCost: 1_000_000, minChunkSize: 200_000, maxChunkCountPerGroup: 8 },
  },
}

export default config
