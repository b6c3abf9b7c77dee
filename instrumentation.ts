/** Next calls this once in the portal's process, before the first request. Next would swallow errors thrown here. */
export async function register(): Promise<void> {
  // Not an early return: when Next compiles this for another runtime, it removes only such a block, and otherwise warns.
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    try {
      const { startPortal } = await import('./lib/portal/entry/start')
      await startPortal()
      const [{ offerFront }, { offerReads }] = await Promise.all([
        import('./lib/portal/entry/front/front'),
        import('./lib/portal/entry/front/reads'),
      ])
      // In development Next answers reads itself, so that a changed handler takes effect immediately.
      if (process.env.NODE_ENV === 'production') offerReads(async () => (await import('./app/api/reads')).reads)
      offerFront()
    } catch (error) {
      process.stderr.write(`The portal did not start: ${error instanceof Error ? error.stack : error}\n`)
      process.exit(1)
    }
  }
}
