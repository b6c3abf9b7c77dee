'use client'

import { type ReactNode, useMemo } from 'react'
import { Collection } from '@/app/_shared/collection/collection'
import { useCollection } from '@/app/_shared/collection/use-collection'
import { useOperation } from '@/app/_shared/reads/use-read'
import { ExpectedRecord } from '../expected-record'
import { fewNames, manyNames, nameColumns } from './name-columns'
import type { NameRow } from './name-rows'

type NamesProps = {
  siteId: string
  rows: readonly NameRow[]
  /** A DNS record may be missing. */
  records: boolean
  aside: ReactNode
}

const few = 8

/** The names of a site: in the certificate or not, and what a certificate authority would find now. */
export function Names({ siteId, rows, records, aside }: NamesProps) {
  const collection = useCollection(rows.length > few ? manyNames : fewNames, rows)
  const columns = useMemo(() => nameColumns(rows), [rows])
  return (
    <Collection
      collection={collection}
      columns={columns}
      aside={aside}
      title="Names"
      before={records ? <ServerRecord siteId={siteId} /> : undefined}
      empty={null}
    />
  )
}

/** The settings of a site do not tell where its names should lead. */
function ServerRecord({ siteId }: { siteId: string }) {
  const { data } = useOperation('sites.summary', { siteId }, { everyMs: 300_000 })
  const item = data?.item[0]
  return <ExpectedRecord address={item?.expected?.A || item?.server.ip || ''} noun="name" />
}
