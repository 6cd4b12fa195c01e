import { type FormEvent, useEffect, useId, useState } from 'react'
import type { Channel, ChannelPost } from '../../../../schemas/generated.js'
import { buildShownCall } from '../../api/shown-call.js'
import { Button } from '../../components/button.js'
import { Confirm } from '../../components/confirm.js'
import { Failure } from '../../components/failure.js'
import { TextField } from '../../components/field.js'
import { Moment } from '../../components/moment.js'
import { Card } from '../../components/notice.js'
import { ShowCurl } from '../../components/show-curl.js'
import { showUnseen } from '../../format/visible.js'
import { mayConnect } from '../../hooks/use-instance.js'
import { type Scope, useRead, useWrite } from '../../hooks/use-operation.js'
import { useInstanceEvents } from '../../hooks/use-this-instance.js'
import { useChannelWords } from '../../words/channels/index.js'
import { useLanguage, useWords } from '../../words/index.js'
import { mayPost } from './channel-list.js'

const PAGE = 20
const TEXT_MAX = 4_096
/** For how long live updates are asked for, and how often while the page is open. */
const LIVE_MINUTES = 5
const LIVE_AGAIN_MS = 4 * 60_000

interface ChannelPostsProps {
  readonly scope: Scope
  readonly channel: Channel
  readonly onLeft: () => void
}

/** Posts of one channel with their views and reactions, newest first, and the composer where the account may post. */
export function ChannelPosts({ scope, channel, onLeft }: ChannelPostsProps) {
  const words = useWords()
  const channelWords = useChannelWords()
  const titleId = useId()
  const [count, setCount] = useState(PAGE)
  const { data, error, refetch } = useRead(scope, 'listChannelPosts', { body: { id: channel.id, count } })
  useLiveUpdates(scope, channel.id)
  useInstanceEvents((event) => {
    if (event === 'open' || event.EventType === 'newsletter_messages') void refetch()
  })
  const posts = data?.response ?? []
  return (
    <Card labelledBy={titleId}>
      <div className="flex flex-wrap items-start justify-between gap-2">
        <div className="min-w-0">
          <h2 id={titleId}>
            <bdi>{showUnseen(channel.name) || channel.id}</bdi>
          </h2>
          {channel.description === '' ? null : (
            <p className="whitespace-pre-wrap text-muted">
              <bdi>{showUnseen(channel.description)}</bdi>
            </p>
          )}
        </div>
        {mayConnect() && !mayPost(channel) ? <Unfollow scope={scope} channel={channel} onLeft={onLeft} /> : null}
      </div>
      {mayConnect() && mayPost(channel) ? <Composer scope={scope} channel={channel.id} /> : null}
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null ? <p role="status">{words.loading}</p> : null}
      {data !== undefined && posts.length === 0 ? <p>{channelWords.noPosts}</p> : null}
      <ol className="grid gap-3" aria-label={channelWords.posts}>
        {posts.map((post) => (
          <Post key={post.serverid} post={post} />
        ))}
      </ol>
      {posts.length === count && count < 100 ? (
        <Button onClick={() => setCount(Math.min(count + PAGE, 100))}>{channelWords.more}</Button>
      ) : null}
    </Card>
  )
}

function Post({ post }: { readonly post: ChannelPost }) {
  const words = useChannelWords()
  const language = useLanguage()
  const { text, messageType, timestamp, viewsCount, reactionCounts } = post
  const said = messageType === '' ? words.deleted : words.other
  return (
    <li className="grid gap-1 rounded-lg border border-line px-3.5 py-2.5">
      <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">
        {text === '' ? <em>{said}</em> : <bdi>{showUnseen(text)}</bdi>}
      </p>
      <p className="flex flex-wrap gap-x-3 text-sm text-muted">
        <Moment at={new Date(timestamp).toISOString()} language={language} />
        {viewsCount === null ? null : <span>{words.views(viewsCount)}</span>}
      </p>
      <ul aria-label={words.reactions} className="flex flex-wrap gap-x-2 text-sm">
        {Object.entries(reactionCounts).map(([emoji, times]) => (
          <li key={emoji}>
            <bdi>{showUnseen(emoji)}</bdi> {times}
          </li>
        ))}
      </ul>
    </li>
  )
}

function Composer({ scope, channel }: { readonly scope: Scope; readonly channel: string }) {
  const words = useChannelWords()
  const send = useWrite(scope, 'sendText', ['listChannelPosts'])
  const [text, setText] = useState('')
  const body = { number: channel, text, placeholders: false }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '' || send.isPending) return
    send.mutate({ body }, { onSuccess: () => setText('') })
  }
  return (
    <form className="grid gap-2" onSubmit={submit}>
      <TextField
        label={words.write}
        help={words.writeHelp}
        value={text}
        maxLength={TEXT_MAX}
        rows={3}
        onChange={({ target }) => setText(target.value)}
      />
      {send.error === null ? null : <Failure error={send.error} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="main" isBusy={send.isPending} disabled={text.trim() === ''}>
          {words.post}
        </Button>
        <ShowCurl call={buildShownCall('sendText', { body })} />
      </div>
    </form>
  )
}

function Unfollow({ scope, channel, onLeft }: ChannelPostsProps) {
  const words = useChannelWords()
  const [isOpen, setOpen] = useState(false)
  const unfollow = useWrite(scope, 'unfollowChannel', ['listChannels'])
  const given = { body: { id: channel.id } }
  return (
    <>
      <Button onClick={() => setOpen(true)}>{words.unfollow}</Button>
      <Confirm
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={`${words.unfollow}: ${showUnseen(channel.name)}`}
        action={words.unfollow}
        isBusy={unfollow.isPending}
        error={unfollow.error}
        call={buildShownCall('unfollowChannel', given)}
        onConfirm={() => unfollow.mutate(given, { onSuccess: onLeft })}
      >
        <p>{words.unfollowHelp}</p>
      </Confirm>
    </>
  )
}

/** Asks for changes of views and reactions for as long as the page is open. */
function useLiveUpdates(scope: Scope, channel: string): void {
  const { mutate } = useWrite(scope, 'subscribeToChannel')
  const { credential } = scope
  useEffect(() => {
    if (credential === undefined || !mayConnect()) return
    const ask = () => mutate({ body: { id: channel, minutes: LIVE_MINUTES } })
    ask()
    const timer = setInterval(ask, LIVE_AGAIN_MS)
    return () => clearInterval(timer)
  }, [channel, credential, mutate])
}
