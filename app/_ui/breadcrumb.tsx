import { Link } from './page-link'

/** The pages above this one; the page itself is the title below, so the trail ends before it. */
export function Breadcrumb({ trail }: { trail: readonly { href: string; name: string }[] }) {
  return (
    <nav aria-label="Breadcrumb">
      <ol className="flex flex-wrap items-center gap-x-1.5 text-small text-muted">
        {trail.map((place, index) => (
          <li key={place.href} className="flex min-h-6 items-center gap-x-1.5">
            {index > 0 ? <span aria-hidden>/</span> : null}
            <Link href={place.href} className="inline-flex min-h-6 items-center rounded-control hover:text-ink hover:underline">
              {place.name}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  )
}
