'use client'

import { toAsciiDomain } from '@/lib/text/idn'
import { useForeign } from '../connections/foreign-service'
import { refuseDomain } from '../sites/refuse-domain'
import { AddManyForm, type AddManyFormProps } from './add-many-form'

/** Zone files end complete names with a dot. */
export const withoutFinalDot = (given: string): string => given.replace(/(?<=[^.])\.$/, '')

const identify = (typed: string): string => toAsciiDomain(typed) ?? typed

/** Adds domain names, each checked as the bundled service would. Another service may take more, such as wildcards. */
export function AddDomains(props: Omit<AddManyFormProps, 'clean' | 'identify' | 'refuse'>) {
  return <AddManyForm {...props} clean={withoutFinalDot} identify={identify} refuse={useForeign() ? () => null : refuseDomain} />
}
