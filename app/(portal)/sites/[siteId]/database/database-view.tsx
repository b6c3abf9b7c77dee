'use client'

import { useState } from 'react'
import { useForeign } from '@/app/_shared/connections/foreign-service'
import type { SubjectViewProps } from '@/app/_shared/frame/subject-page'
import { ReadError } from '@/app/_shared/reads/read-error'
import { useOperation } from '@/app/_shared/reads/use-read'
import { EarlyButton } from '@/app/_ui/early-button'
import { Facts } from '@/app/_ui/facts'
import { lazyComponent } from '@/app/_ui/lazy'
import { Section } from '@/app/_ui/section'
import type { Answer } from '@/lib/contract/operation'
import type { database } from '@/lib/contract/operations/database'
import type { SiteRow } from '@/lib/portal/subjects/sites/row'
import { toReadableDomain } from '@/lib/text/idn'
import { Connect } from './connect'
import { Tables } from './tables'

const SetDatabasePassword = lazyComponent(() => import('../set-database-password').then((file) => file.SetDatabasePassword))

/** What database.get answers. The tables are read apart: that takes longer, and may fail alone. */
type Details = Answer<typeof database.get>

export function DatabaseView({ id: siteId, name, first, may, extra: site }: SubjectViewProps<Details, SiteRow>) {
  const read = useOperation('database.get', { siteId }, { first, everyMs: 60_000 })
  const [asking, setAsking] = useState(false)
  const foreign = useForeign()
  const readable = toReadableDomain(name)
  const item = read.data?.item[0]
  const close = () => {
    setAsking(false)
    // The dialog that closes is not the one that the button opened, so the focus would be lost.
    requestAnimationFrame(() => document.getElementById('set-password')?.focus())
  }
  const setPassword = (
    <EarlyButton id="set-password" onClick={() => setAsking(true)}>
      Set password
    </EarlyButton>
  )
  return (
    <>
      <ReadError read={read} nothingRead={`The database of ${readable} could not be read.`} />
      {item ? (
        <Section title="Database" aside={may && site?.deletingJobId === null ? setPassword : undefined}>
          <Facts
            facts={[
              { label: 'Name', value: item.db_name, code: true },
              { label: 'User', value: item.user ?? '', code: true },
              { label: 'Host', value: item.host ?? '', code: true },
              { label: 'Server address', value: item.server.ip, code: true },
            ]}
          />
          {item.user && item.host && site && !foreign ? (
            <Connect site={site} ip={item.server.ip} name={item.db_name} user={item.user} host={item.host} />
          ) : null}
        </Section>
      ) : null}
      <Tables siteId={siteId} name={readable} />
      {asking && item ? <SetDatabasePassword siteId={siteId} database={item.db_name} onClose={close} /> : null}
    </>
  )
}
