/** Pages of an instance and of the whole gateway, in the order of their links. */
import { mayConnect, mayRead, mayReadAll } from './hooks/use-instance.js'
import type { Words } from './words/en.js'

type InstancePath =
  | '/instances/$id'
  | '/instances/$id/chats'
  | '/instances/$id/scheduled'
  | '/instances/$id/contacts'
  | '/instances/$id/leads'
  | '/instances/$id/groups'
  | '/instances/$id/account'
  | '/instances/$id/agents'
  | '/instances/$id/knowledge'
  | '/instances/$id/functions'
  | '/instances/$id/quick-replies'
  | '/instances/$id/campaigns'
  | '/instances/$id/chatwoot'
  | '/instances/$id/webhooks'
  | '/instances/$id/events'
  | '/instances/$id/keys'
  | '/instances/$id/settings'
type AdminPath = '/overview' | '/instances' | '/webhooks' | '/cluster' | '/audit'

interface PageLink<To extends string> {
  readonly to: To
  readonly word: keyof Words['pages']
  /** Returns true if the signed-in person may see the page. Without it everybody may. */
  readonly isFor?: () => boolean
}

export const instancePages: readonly PageLink<InstancePath>[] = [
  { to: '/instances/$id', word: 'connection' },
  { to: '/instances/$id/chats', word: 'conversations', isFor: mayRead },
  { to: '/instances/$id/scheduled', word: 'scheduled', isFor: mayReadAll },
  { to: '/instances/$id/contacts', word: 'contacts', isFor: mayReadAll },
  { to: '/instances/$id/leads', word: 'leads', isFor: mayReadAll },
  { to: '/instances/$id/groups', word: 'groups', isFor: mayReadAll },
  { to: '/instances/$id/account', word: 'account', isFor: mayReadAll },
  { to: '/instances/$id/agents', word: 'agents', isFor: mayReadAll },
  { to: '/instances/$id/knowledge', word: 'knowledge', isFor: mayReadAll },
  { to: '/instances/$id/functions', word: 'functions', isFor: mayReadAll },
  { to: '/instances/$id/quick-replies', word: 'quickReplies', isFor: mayReadAll },
  { to: '/instances/$id/campaigns', word: 'campaigns', isFor: mayReadAll },
  { to: '/instances/$id/chatwoot', word: 'chatwoot', isFor: mayConnect },
  { to: '/instances/$id/webhooks', word: 'webhooks', isFor: mayConnect },
  { to: '/instances/$id/events', word: 'events', isFor: mayReadAll },
  { to: '/instances/$id/keys', word: 'keys', isFor: mayConnect },
  { to: '/instances/$id/settings', word: 'settings', isFor: mayConnect },
]

export const adminPages: readonly PageLink<AdminPath>[] = [
  { to: '/overview', word: 'overview' },
  { to: '/instances', word: 'instances' },
  { to: '/webhooks', word: 'webhooks' },
  { to: '/cluster', word: 'cluster' },
  { to: '/audit', word: 'audit' },
]
