import { useState } from 'react'
import { useRecentCalls } from '../../api/recent-calls.js'
import { CallLines } from '../../components/call-lines.js'
import { Dialog } from '../../components/dialog.js'
import { CheckField } from '../../components/field.js'
import layout from '../../components/layout.module.css'
import { showUnseen } from '../../format/visible.js'
import { useRecentCallWords } from '../../words/recent-calls/index.js'

/** Operations that change nothing, by how their names begin. */
const READS = /^(find|list|show|tell|check|search|give|download|test)/

/** The last calls of this page, for programs: each change that somebody made here, and what was read for it. */
export function RecentCalls({ onClose }: { readonly onClose: () => void }) {
  const words = useRecentCallWords()
  const calls = useRecentCalls()
  const [withReads, setWithReads] = useState(false)
  // What is read meanwhile must not move the line that somebody copies.
  const [known] = useState(calls)
  const shown = known.filter(({ operation }) => withReads || !READS.test(operation))
  return (
    <Dialog isOpen onClose={onClose} title={words.title}>
      <div className={layout.form}>
        <p>{words.help}</p>
        <CheckField
          label={words.withReads}
          checked={withReads}
          onChange={({ target }) => setWithReads(target.checked)}
        />
        {shown.length === 0 ? <p role="status">{words.none}</p> : null}
        {shown.map((call) => (
          <details key={`${call.method} ${call.path} ${JSON.stringify(call.body)}`}>
            <summary>
              <code>
                {call.method} {showUnseen(call.path.slice(0, 200))}
              </code>{' '}
              {call.operation}
            </summary>
            <CallLines call={call} />
          </details>
        ))}
      </div>
    </Dialog>
  )
}
