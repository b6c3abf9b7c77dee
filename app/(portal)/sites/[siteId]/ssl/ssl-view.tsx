'use client'

import { useMemo } from 'react'
import { useForeign } from '@/app/_shared/connections/foreign-service'
import type { SubjectViewProps } from '@/app/_shared/frame/subject-page'
import { ReadError } from '@/app/_shared/reads/read-error'
import { useOperation } from '@/app/_shared/reads/use-read'
import { NewestChange } from '@/app/_shared/sites/newest-change'
import { Button } from '@/app/_ui/button'
import { useDrawnNow } from '@/app/_ui/clock'
import { Notice } from '@/app/_ui/notice'
import type { Answer } from '@/lib/contract/operation'
import type { sites } from '@/lib/contract/operations/sites'
import type { JobView } from '@/lib/portal/jobs/view'
import type { SiteRow } from '@/lib/portal/subjects/sites/row'
import { toReadableDomain } from '@/lib/text/idn'
import { CheckAgain } from '../check-again'
import { Certificate, CertificateProblem, mayNeedRenewal } from './certificate'
import { findObstacle, nameRows, needsRecords } from './name-rows'
import { Names } from './names'
import { SslSwitch } from './ssl-switch'
import { useSsl } from './use-ssl'

/** job: the newest that changed SSL. */
type Extra = { site: SiteRow; job: JobView | null }

/** Whether SSL of a site is on, what is missing for it, its certificate and its names. */
export function SslView({ id: siteId, name, first, may, extra }: SubjectViewProps<Answer<typeof sites.settings>, Extra>) {
  const read = useOperation('sites.settings', { siteId }, { first, everyMs: 60_000 })
  const { job, refusal, busy, toggle, renew } = useSsl(siteId, extra?.job ?? null)
  const foreign = useForeign()
  const now = useDrawnNow(60_000)
  const settings = read.data?.item[0]
  const rows = useMemo(() => (settings ? nameRows(settings) : []), [settings])
  if (!extra) return null
  const { site } = extra
  const changes = may && settings !== undefined && site.deletingJobId === null
  const on = settings?.ssl ?? (site.ssl === '' ? null : site.ssl === 'on')
  const checkAgain = <CheckAgain read={read} />
  const renewNow =
    changes && mayNeedRenewal(settings, now) ? (
      <Button disabled={busy} onClick={() => void renew()}>
        Renew now
      </Button>
    ) : null
  return (
    <>
      <ReadError
        read={read}
        nothingRead={`The SSL settings of ${toReadableDomain(name)} could not be read.${on === null ? '' : ' The last known state is below.'}`}
      />
      {refusal ? <Notice tone="danger" alert title={refusal.sentence} /> : null}
      {job ? <NewestChange job={job} /> : null}
      {settings?.ssl ? <CertificateProblem settings={settings} now={now} /> : null}
      <SslSwitch
        on={on}
        busy={busy}
        may={changes}
        obstacle={settings ? findObstacle(settings) : null}
        onToggle={(wanted) => void toggle(wanted)}
        checkAgain={foreign ? null : checkAgain}
      />
      {settings?.expires ? <Certificate settings={settings} now={now} siteId={siteId} renew={renewNow} /> : null}
      {settings && rows.length > 0 ? (
        <Names siteId={siteId} rows={rows} records={needsRecords(settings)} aside={on === false ? undefined : checkAgain} />
      ) : null}
    </>
  )
}
