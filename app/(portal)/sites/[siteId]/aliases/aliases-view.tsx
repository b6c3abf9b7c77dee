'use client'

import { useMemo, useState } from 'react'
import { AddDomains } from '@/app/_shared/add-many/add-domains'
import { oneByOne } from '@/app/_shared/batches/one-by-one'
import { Collection } from '@/app/_shared/collection/collection'
import { useCollection } from '@/app/_shared/collection/use-collection'
import { useRemoval } from '@/app/_shared/collection/use-removal'
import { useForeign } from '@/app/_shared/connections/foreign-service'
import type { SubjectViewProps } from '@/app/_shared/frame/subject-page'
import { operationRead } from '@/app/_shared/reads/read-address'
import { useOperation } from '@/app/_shared/reads/use-read'
import { Card } from '@/app/_ui/card'
import { EmptyState } from '@/app/_ui/empty-state'
import type { Answer } from '@/lib/contract/operation'
import type { aliases } from '@/lib/contract/operations/aliases'
import { toReadableDomain } from '@/lib/text/idn'
import { ExpectedRecord } from '../expected-record'
import { deleteAlias } from './actions'
import { aliasCollection, aliasColumns, aliasRows } from './alias-columns'

const toFields = (names: readonly string[]) => names.map((alias) => ({ alias }))

/** The names a site also answers for, and where the DNS points them. Adding and removing are jobs; those of several names are a batch. */
export function AliasesView({ id: siteId, name, first, may }: SubjectViewProps<Answer<typeof aliases.list>>) {
  const read = useOperation('aliases.list', { siteId }, { first, everyMs: 30_000 })
  const refetch = [operationRead('aliases.list', { siteId })]
  const { removing, controls } = useRemoval({
    may,
    refetch,
    nameOf: aliasCollection.nameOf,
    removal: ({ id }) => ({ action: deleteAlias, fields: { siteId, alias: id } }),
    batch: (selected) => oneByOne('aliases.delete', siteId, toFields(selected.map(({ id }) => id))),
  })
  const [item, foreign] = [read.data?.item[0], useForeign()]
  const expected = item?.expected?.A || item?.server.ip || ''
  const rows = useMemo(() => aliasRows(item?.aliases ?? [], { expected, foreign, removing }), [item, expected, foreign, removing])
  const [adding, setAdding] = useState(false)
  const collection = useCollection(aliasCollection, rows)
  return (
    <>
      {may && item ? (
        <AddDomains
          noun="alias"
          placeholder="www.example.org"
          refetch={refetch}
          onAdding={setAdding}
          batch={(names) => oneByOne('aliases.save', siteId, toFields(names))}
          known={[name, ...rows.map(({ id }) => id)]}
        />
      ) : null}
      <Collection
        collection={collection}
        read={read}
        columns={aliasColumns}
        {...controls}
        nothingRead={`The aliases of ${toReadableDomain(name)} could not be read.`}
        title="Aliases"
        before={<ExpectedRecord address={expected} noun="alias" />}
        empty={adding ? <p className="text-small text-muted">The first alias is being added.</p> : <NoAliases />}
      />
    </>
  )
}

const NoAliases = () => (
  <Card>
    <EmptyState title="No aliases yet">
      <p>An alias is another domain that shows this site, such as its name with www.</p>
    </EmptyState>
  </Card>
)
