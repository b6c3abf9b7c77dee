/** Forgets what the portal remembers on the process itself, as a restart would. */
export { forgetProcessState as forgetProcess } from '@/lib/portal/base/process-state'
