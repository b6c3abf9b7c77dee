/** @type {import('next').NextConfig} */
const config = {
  // Types are `npm run check`'s business; a start need not wait for them.
  typescript: { ignoreBuildErrors: true },
  poweredByHeader: false,
  reactStrictMode: true,
  productionBrowserSourceMaps: false,
  images: { unoptimized: true },
  serverExternalPackages: ['@libsql/client', 'libsql', '@prisma/adapter-libsql', '@node-rs/argon2', 'pino', 'undici'],
  headers: async () => [
    {
      source: '/(.*)',
      headers: [
        { key: 'X-Content-Type-Options', value: 'nosniff' },
        // Not no-referrer: Chromium then sends forms without JavaScript with `Origin: null`, which is refused.
        { key: 'Referrer-Policy', value: 'same-origin' },
        { key: 'X-Frame-Options', value: 'DENY' },
        { key: 'Permissions-Policy', value: 'camera=(), microphone=(), geolocation=(), payment=()' },
        { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
      ],
    },
    // Data for pages of ours, never a page itself.
    {
      source: '/api/(.*)',
      headers: [
        { key: 'Content-Security-Policy', value: "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'" },
      ],
    },
    // Next packs an answer only when its type was said before the handler says it: these grow with the number of servers.
    { source: '/api/(servers|palette)', headers: [{ key: 'Content-Type', value: 'application/json' }] },
  ],
}

export default config
