import layout from '../../components/layout.module.css'
import { showUnseen } from '../../format/visible.js'

/** Maximum of fields that are drawn of one object. */
const FIELDS_MAX = 500

/** A value as a tree whose branches open and close. Texts of strangers are text nodes. */
export function JsonTree({
  name,
  value,
  depth = 0,
}: {
  readonly name: string
  readonly value: unknown
  readonly depth?: number
}) {
  if (typeof value !== 'object' || value === null)
    return (
      <div>
        <code>
          {showUnseen(name)}: <bdi>{showUnseen(JSON.stringify(value) ?? '')}</bdi>
        </code>
      </div>
    )
  const fields = Object.entries(value)
  return (
    <details open={depth < 2}>
      <summary>
        <code>
          {showUnseen(name)} {Array.isArray(value) ? `[${fields.length}]` : `{${fields.length}}`}
        </code>
      </summary>
      <div className={layout.branch}>
        {fields.slice(0, FIELDS_MAX).map(([field, one]) => (
          <JsonTree key={field} name={field} value={one} depth={depth + 1} />
        ))}
        {fields.length > FIELDS_MAX ? '…' : null}
      </div>
    </details>
  )
}
