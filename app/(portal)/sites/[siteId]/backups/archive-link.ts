import type { ArchiveView } from '@/lib/portal/subjects/archives/view'

type ShownLink = Pick<Extract<ArchiveView, { state: 'ready' }>, 'elsewhere' | 'login'> & { link: string }

/** Why the browser opens the link of an archive, and what that sends where. */
export function describeLink({ link, elsewhere, login }: ShownLink): string {
  const { host } = new URL(link)
  if (!elsewhere)
    return `The link contains a login, so Gatehouse does not fetch it. Your browser fetches it and sends the login to ${host}.`
  const sends = login ? ' and sends the login in the link' : ''
  return `The archive is at ${host}, from where Gatehouse does not fetch it. Your browser does${sends}.`
}
