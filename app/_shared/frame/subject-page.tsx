/**
 * Pages about one part of a subject: a read of it and a view. The subject (a server, a site) defines how it is found and what its
 * pages share.
 */
import type { Metadata } from 'next'
import { type ComponentType, type ReactNode, Suspense } from 'react'
import type { Answer, Operation } from '@/lib/contract/operation'
import type { Outcome } from '@/lib/contract/problem'
import { findOffers } from '@/lib/portal/access/decide'
import type { Actor } from '@/lib/portal/identity/actor'
import type { Target } from '@/lib/portal/spine/run-operation'
import { runOperation } from '@/lib/portal/subjects/spine'
import { toReadableDomain } from '@/lib/text/idn'
import type { AccessPlace } from '../access/draft'
import { AskHere } from '../access-requests/ask-here'
import { CollectionSkeleton } from '../collection/collection-skeleton'

type Named = { id: string; name: string }

type Found<Subject> = { actor: Actor; subject: Subject }

export type SubjectKind<Params, Subject extends Named> = {
  /** The subject of an address, or the not-found page. Called several times per request. */
  find: (params: Params) => Promise<Found<Subject>>
  targetOf: (subject: Subject) => Target
  /** What is rendered around and above each of its pages. */
  Frame: ComponentType<Found<Subject> & { children: ReactNode }>
}

/** The props of a view. `first` is what the server read, `may` whether this user may do what the page needs. */
export type SubjectViewProps<Data, Extra = undefined> = Named & { first: Outcome<Data>; may: boolean; extra?: Extra | undefined }

type SubjectPage<Subject, Op extends Operation, Extra> = {
  read: Op
  /** The title of the part of the page that is being read. */
  title: string
  /** The title of the window, from the subject's name. */
  windowTitle: (name: string) => string
  /** What is being read, as a sentence. */
  reading: (name: string) => string
  /** What the user must be allowed to do to change anything here. */
  needs: Operation
  /** Further data, read at the same time. */
  also?: (subject: Subject) => Promise<Extra>
  View: ComponentType<SubjectViewProps<Answer<Op>, Extra>>
  /** What is rendered while reading, if that is more than rows. */
  Skeleton?: ComponentType<{ name: string }>
}

type PageProps<Params> = { params: Promise<Params> }

function placeOf({ siteId, serverId = '' }: Target, { name }: Named): AccessPlace {
  return siteId === undefined ? { kind: 'server', id: serverId, name } : { kind: 'site', id: siteId, name: toReadableDomain(name) }
}

/** Creates the pages of a kind of subject: for each the component and the metadata that Next requires of a page file. */
export function subjectPages<Params, Subject extends Named>({ find, targetOf, Frame }: SubjectKind<Params, Subject>) {
  const titled =
    (titleOf: (name: string) => string) =>
    async ({ params }: PageProps<Params>): Promise<Metadata> => ({ title: titleOf((await find(await params)).subject.name) })

  /** A page with free content inside the frame. needs: what it needs to be read and used. */
  const framedPage = (windowTitle: (name: string) => string, Body: ComponentType<Found<Subject>>, needs: readonly Operation[] = []) => ({
    generateMetadata: titled(windowTitle),
    Page: async ({ params }: PageProps<Params>) => {
      const found = await find(await params)
      return (
        <Frame {...found}>
          <AskHere actor={found.actor} place={placeOf(targetOf(found.subject), found.subject)} needs={needs}>
            <Body {...found} />
          </AskHere>
        </Frame>
      )
    },
  })

  function subjectPage<Op extends Operation, Extra = undefined>(page: SubjectPage<Subject, Op, Extra>) {
    const { read, title, windowTitle, reading, needs, also, View, Skeleton } = page
    async function Data({ actor, subject }: Found<Subject>) {
      const target = targetOf(subject)
      const [first, extra, offers] = await Promise.all([runOperation(actor, read, target), also?.(subject), findOffers(actor, target)])
      const { id, name } = subject
      return <View id={id} name={name} first={first} may={offers(needs)} extra={extra} />
    }
    const Body = (found: Found<Subject>) => {
      const { name } = found.subject
      return (
        <Suspense fallback={Skeleton ? <Skeleton name={name} /> : <CollectionSkeleton title={title} waitsFor={reading(name)} />}>
          <Data {...found} />
        </Suspense>
      )
    }
    return framedPage(windowTitle, Body, [read, needs])
  }

  return { subjectPage, framedPage }
}
