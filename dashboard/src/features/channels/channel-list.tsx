import { Link } from '@tanstack/react-router'
import type { Channel } from '../../../../schemas/generated.js'
import { showUnseen } from '../../format/visible.js'
import { useChannelWords } from '../../words/channels/index.js'

interface ChannelListProps {
  readonly id: string
  readonly channels: readonly Channel[]
  readonly open: string | undefined
}

/** The channels of the account: first those in which it may post. */
export function ChannelList({ id, channels, open }: ChannelListProps) {
  const words = useChannelWords()
  const own = channels.filter(mayPost)
  const followed = channels.filter((one) => !mayPost(one))
  return (
    <nav aria-label={words.title} className="grid content-start gap-4">
      <Part title={words.own} id={id} channels={own} open={open} />
      <Part title={words.followed} id={id} channels={followed} open={open} />
    </nav>
  )
}

function Part({ title, id, channels, open }: ChannelListProps & { readonly title: string }) {
  const words = useChannelWords()
  if (channels.length === 0) return null
  return (
    <section className="grid gap-1">
      <h2 className="text-sm text-muted">{title}</h2>
      <ul className="grid gap-1">
        {channels.map(({ id: channel, name, subscribers, muted }) => (
          <li key={channel}>
            <Link
              to="/instances/$id/channels"
              params={{ id }}
              search={{ channel }}
              aria-current={channel === open ? 'page' : undefined}
              className="grid rounded-md px-3 py-2 text-text no-underline hover:bg-hover aria-[current=page]:bg-accent-back"
            >
              <bdi className="truncate font-medium">{showUnseen(name) || channel}</bdi>
              <span className="text-sm text-muted">
                {subscribers === null ? '' : words.followers(subscribers)}
                {muted ? ` · ${words.muted}` : ''}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Returns whether the account may post in a channel. */
export function mayPost({ role }: Channel): boolean {
  return role === 'OWNER' || role === 'ADMIN'
}
