import { useNavigate, useSearch } from '@tanstack/react-router'
import { Rss } from 'lucide-react'
import { EmptyState } from '../components/empty-state.js'
import { Failure } from '../components/failure.js'
import { PageHeader } from '../components/page-header.js'
import { ChannelList } from '../features/channels/channel-list.js'
import { ChannelPosts } from '../features/channels/channel-posts.js'
import { NewChannel } from '../features/channels/new-channel.js'
import { mayConnect } from '../hooks/use-instance.js'
import { useRead } from '../hooks/use-operation.js'
import { useThisInstance } from '../hooks/use-this-instance.js'
import { useChannelWords } from '../words/channels/index.js'
import { useWords } from '../words/index.js'

/** Channels of the account, and the posts of one of them. */
export function Channels() {
  const words = useWords()
  const channelWords = useChannelWords()
  const { id, credential } = useThisInstance()
  const scope = { id, credential }
  const { channel: open } = useSearch({ from: '/instances/$id/channels' })
  const navigate = useNavigate({ from: '/instances/$id/channels' })
  const { data, error, refetch } = useRead(scope, 'listChannels', {})
  const channels = data?.response ?? []
  const shown = channels.find((one) => one.id === open)
  return (
    <>
      <PageHeader title={channelWords.title} about={channelWords.about}>
        {mayConnect() ? (
          <NewChannel scope={scope} onDone={(channel) => void navigate({ search: { channel } })} />
        ) : null}
      </PageHeader>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null ? <p role="status">{words.loading}</p> : null}
      {data !== undefined && channels.length === 0 ? (
        <EmptyState icon={Rss} title={channelWords.none}>
          {channelWords.noneHelp}
        </EmptyState>
      ) : null}
      {channels.length === 0 ? null : (
        <div className="grid items-start gap-4 md:grid-cols-[16rem_minmax(0,1fr)]">
          <ChannelList id={id} channels={channels} open={open} />
          {shown === undefined ? (
            <p className="text-muted">{channelWords.choose}</p>
          ) : (
            <ChannelPosts key={shown.id} scope={scope} channel={shown} onLeft={() => void navigate({ search: {} })} />
          )}
        </div>
      )}
    </>
  )
}
