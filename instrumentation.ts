/** Next calls this once in the portal's process, before the first request. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { startPortal } = await import('./lib/portal/start')
  await startPortal()
}
