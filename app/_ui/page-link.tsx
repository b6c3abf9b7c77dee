'use client'

import NextLink from 'next/link'
import type { ComponentProps } from 'react'
import { isPartOf, openPage } from './opening'

type LinkProps = Omit<ComponentProps<typeof NextLink>, 'href' | 'onNavigate' | 'prefetch' | 'replace'> & { href: string }

/**
 * A link to a page of the portal. A click shows that page's skeleton at once, unless only a part of the present page changes, which then
 * does not scroll. Nothing is read before the click.
 */
export function Link({ href, scroll = true, ...rest }: LinkProps) {
  return (
    <NextLink
      prefetch={false}
      href={href}
      scroll={scroll}
      onNavigate={(event) => {
        if (scroll && !isPartOf(href, location.href) && openPage(href)) event.preventDefault()
      }}
      {...rest}
    />
  )
}
