import { LabelChip } from '../../_ui/label-chip'

const maxShown = 3

/** The labels of a row, of many the first few. */
export function Labels({ names }: { names: readonly string[] }) {
  const rest = names.slice(maxShown)
  return (
    <>
      {names.slice(0, maxShown).map((name) => (
        <LabelChip key={name} name={name} />
      ))}
      {rest.length > 0 ? (
        <span title={rest.join(', ')} className="text-small text-muted">
          +{rest.length}
        </span>
      ) : null}
    </>
  )
}

/** As the cell of a column. */
export const LabelCell = ({ names }: { names: readonly string[] }) => (
  <span className="flex gap-1 overflow-hidden">
    <Labels names={names} />
  </span>
)
