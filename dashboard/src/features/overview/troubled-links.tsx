import { Link } from '@tanstack/react-router'
import type { FiguresReply } from '../../../../schemas/generated.js'
import { showUnseen } from '../../format/visible.js'
import { useFleetWords } from '../../words/fleet/index.js'
import { useNumbers } from '../../words/index.js'

export type Trouble = 'deadLetters' | 'waiting' | 'failedSends'

interface TroubledLinksProps {
  /** Undefined: the node runs a former release. */
  readonly troubled: FiguresReply['troubled']
  readonly trouble: Trouble
}

/** Leads to each instance that has a trouble, and to the page that shows it. */
export function TroubledLinks({ troubled = [], trouble }: TroubledLinksProps) {
  const words = useFleetWords()
  const number = useNumbers()
  const those = troubled.filter((one) => one[trouble] > 0)
  if (those.length === 0) return null
  return (
    <ul>
      {those.map(({ id, name, ...counts }) => {
        const shown = name === null ? words.webhookOfAll : showUnseen(name) || id
        return (
          <li key={id ?? ''}>
            <PlaceLink id={id} trouble={trouble}>
              <bdi>{shown}</bdi>: {number(counts[trouble])}
            </PlaceLink>
          </li>
        )
      })}
    </ul>
  )
}

interface PlaceLinkProps {
  readonly id: string | null
  readonly trouble: Trouble
  readonly children: React.ReactNode
}

function PlaceLink({ id, trouble, children }: PlaceLinkProps) {
  const search = { view: trouble === 'deadLetters' ? 'dead' : 'deliveries' } as const
  if (id === null)
    return (
      <Link to="/webhooks" search={search}>
        {children}
      </Link>
    )
  if (trouble === 'failedSends')
    return (
      <Link to="/instances/$id/chats" params={{ id }} search={{ failed: true }}>
        {children}
      </Link>
    )
  return (
    <Link to="/instances/$id/webhooks" params={{ id }} search={search}>
      {children}
    </Link>
  )
}
