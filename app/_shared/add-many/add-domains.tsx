'use client'

import { toAsciiDomain } from '@/lib/text/idn'
import { useForeign } from '../connections/foreign-service'
import { AddManyForm, type AddManyFormProps } from './add-many-form'

/** Zone files end complete names with a dot. */
export const withoutFinalDot = (given: string): string => given.replace(/(?<=[^.])\.$/, '')

const identify = (typed: string): string => toAsciiDomain(typed) ?? typed

/** Adds domain names, each checked as the bundled service would. Another service may take more, such as wildcards. */
export function AddDomains(props: Omit<AddManyFormProps, 'clean' | 'identify' | 'refuse'>) {
  return <AddManyForm {...props} clean={withoutFinalDot} identify={identify} refuse={useForeign() ? () => null : refuseDomain} />
}

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** Why a text is no complete domain name, in a sentence; null for one. Whether it may be one of a site, its service decides. */
export function refuseDomain(typed: string): string | null {
  const name = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]+)/i.exec(typed)?.[1]
  if (name !== undefined) return `This is an address of a page. Enter only the name: ${name}.`
  if (/^[\d.]+$/.test(typed) || typed.includes(':')) return 'This is an address, not a domain name.'
  const ascii = toAsciiDomain(typed)
  const labels = ascii?.split('.') ?? []
  if (typed.includes('_')) return 'The name of a site has no underscore.'
  if (ascii === null || !labels.every((each) => label.test(each))) return 'This is not a domain name.'
  if (labels.length < 2) return 'This name is incomplete: it has no dot.'
  return null
}
