import { callAction } from '../../../_shared/call-action'
import { read } from '../../../_shared/read'
import { operationRead } from '../../../_shared/read-address'
import { toast } from '../../../_ui/toast'
import { renewCertificate } from './ssl/actions'

/**
 * Orders a certificate if SSL is on and the present one lacks a name of the site. A service that does not report the names is asked for
 * nothing. A failure is shown as a toast, because the names themselves have been added.
 */
export async function coverNames(siteId: string): Promise<void> {
  const settings = operationRead('sites.settings', { siteId })
  const item = await read(settings).then(
    ({ data }) => data.item[0],
    () => null,
  )
  if (!item) return toast.error('Gatehouse could not check whether the certificate covers the new names. The SSL page shows it.')
  const lacks = item.names?.some((name) => !item.covered?.includes(name))
  if (!item.ssl || !lacks) return
  const answer = await callAction(renewCertificate, { siteId, status: '1' }, { toEnd: true, refetch: [settings] })
  if (!answer.ok) toast.error(`The certificate does not cover the new names: ${answer.problem.sentence}`)
}
