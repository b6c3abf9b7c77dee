import { PageBody, PageHead } from '../../_ui/page-head'
import { Sheet } from '../../_ui/sheet'
import { Skeleton, Waiting } from '../../_ui/skeleton'

export default function Loading() {
  return (
    <>
      <PageHead title="Home" facts={<Skeleton className="h-[18px] w-40" />} />
      <PageBody>
        {['a', 'b'].map((section) => (
          <div key={section} className="flex flex-col gap-2.5">
            <Skeleton className="h-5 w-36" />
            <Sheet className="divide-y divide-line">
              {['a', 'b', 'c'].map((row) => (
                <div key={row} className="flex h-14 items-center gap-6 px-4">
                  <Skeleton className="h-5 w-24" />
                  <Skeleton className="h-4 w-64 max-w-full" />
                </div>
              ))}
            </Sheet>
          </div>
        ))}
        <Waiting says="Looking what needs attention." />
      </PageBody>
    </>
  )
}
