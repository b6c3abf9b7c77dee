import { NotFoundPage } from '@/app/_shared/frame/message-page'
import { ButtonLink } from '@/app/_ui/button'

export default function SiteNotFound() {
  return (
    <NotFoundPage
      title="No such site"
      description={<p>The site was deleted, never existed, or you don’t have access to it.</p>}
      first={
        <ButtonLink href="/sites" variant="primary">
          View sites
        </ButtonLink>
      }
    />
  )
}
