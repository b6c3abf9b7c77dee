import { ExternalLink } from 'lucide-react'
import { webAddressOf } from '@/app/_shared/sites/web-address'
import { ButtonLink } from '@/app/_ui/button'
import { Facts } from '@/app/_ui/facts'
import { Notice } from '@/app/_ui/notice'
import type { Answer } from '@/lib/contract/operation'
import type { apps } from '@/lib/contract/operations/apps'
import type { SiteRow } from '@/lib/portal/subjects/sites/row'
import { controlIds } from './use-app-changes'

type Item = Answer<typeof apps.get>['item'][0]

export type Catalogued = NonNullable<Item['catalogue']>

type InstalledAppProps = { site: SiteRow; app: Item['app']; catalogue: Catalogued | undefined }

/** Which app a site has, and whether the app offers a newer version of itself. */
export function InstalledApp({ site, app: { name, version, update = '' }, catalogue }: InstalledAppProps) {
  const title = catalogue?.find(({ app }) => app === name)?.title ?? name
  const address = webAddressOf(site)
  return (
    // Takes the focus of the form that it replaces.
    <div id={controlIds.install} tabIndex={-1} className="flex flex-col gap-2.5 outline-none">
      {update === '' ? null : (
        <Notice
          tone="info"
          title={`${title} ${update} is available.`}
          action={
            address && (
              <ButtonLink href={address} target="_blank" rel="noopener noreferrer">
                <ExternalLink aria-hidden size={16} strokeWidth={1.5} />
                Open site
              </ButtonLink>
            )
          }
        >
          Sign in to the app as its administrator to update it.
        </Notice>
      )}
      <Facts
        facts={[
          { label: 'App', value: title },
          { label: 'Version', value: version },
        ]}
      />
    </div>
  )
}
