/** Next calls this once in the portal's process, before the first request. It would go on without what fails here. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  try {
    const { startPortal } = await import('./lib/portal/entry/start')
    await startPortal()
    const [{ offerFront }, { offerReads }] = await Promise.all([
      import('./lib/portal/entry/front/front'),
      import('./lib/portal/entry/front/reads'),
    ])
    offerReads(async () => (await import('./app/api/reads')).reads)
    offerFront()
  } catch (error) {
    process.stderr.write(`The portal did not start: ${error instanceof Error ? error.stack : error}\n`)
    process.exit(1)
  }
}
