/** Pages of an instance and of the whole gateway, in the groups and the order of their links. */
import {
  BookOpen,
  Bot,
  Building2,
  ClipboardList,
  Clock,
  Contact,
  FileCode2,
  Gauge,
  Inbox,
  KeyRound,
  type LucideIcon,
  Megaphone,
  MessagesSquare,
  Network,
  Radio,
  Rss,
  ScanQrCode,
  Settings,
  Smartphone,
  Split,
  SquareTerminal,
  Tags,
  Target,
  UserRoundX,
  Users,
  Webhook,
  Zap,
} from 'lucide-react'
import { mayConnect, mayRead, mayReadAll } from './hooks/use-instance.js'
import type { Words } from './words/en.js'

type InstancePath =
  | '/instances/$id'
  | '/instances/$id/chats'
  | '/instances/$id/scheduled'
  | '/instances/$id/contacts'
  | '/instances/$id/leads'
  | '/instances/$id/groups'
  | '/instances/$id/channels'
  | '/instances/$id/account'
  | '/instances/$id/agents'
  | '/instances/$id/knowledge'
  | '/instances/$id/functions'
  | '/instances/$id/quick-replies'
  | '/instances/$id/campaigns'
  | '/instances/$id/opt-outs'
  | '/instances/$id/chatwoot'
  | '/instances/$id/webhooks'
  | '/instances/$id/events'
  | '/instances/$id/keys'
  | '/instances/$id/api'
  | '/instances/$id/settings'
type AdminPath = '/overview' | '/instances' | '/webhooks' | '/cluster' | '/audit'

interface PageLink<To extends string> {
  readonly to: To
  readonly word: keyof Words['pages']
  readonly icon: LucideIcon
  /** View of the page that has a link of its own. */
  readonly view?: 'labels' | 'triggers'
  /** Returns true if the signed-in person may see the page. Without it everybody may. */
  readonly isFor?: () => boolean
}

export type InstancePage = PageLink<InstancePath>

interface PageGroup {
  /** Title above the links; a page that leads has none. */
  readonly word?: keyof Words['groups']
  readonly pages: readonly InstancePage[]
}

export const instanceGroups: readonly PageGroup[] = [
  { pages: [{ to: '/instances/$id/chats', word: 'conversations', icon: Inbox, isFor: mayRead }] },
  {
    word: 'contacts',
    pages: [
      { to: '/instances/$id/contacts', word: 'contacts', icon: Contact, isFor: mayReadAll },
      { to: '/instances/$id/leads', word: 'leads', icon: Target, isFor: mayReadAll },
      { to: '/instances/$id/groups', word: 'groups', icon: Users, isFor: mayReadAll },
      { to: '/instances/$id/groups', word: 'labels', view: 'labels', icon: Tags, isFor: mayReadAll },
    ],
  },
  {
    word: 'outreach',
    pages: [
      { to: '/instances/$id/campaigns', word: 'campaigns', icon: Megaphone, isFor: mayReadAll },
      { to: '/instances/$id/channels', word: 'channels', icon: Rss, isFor: mayReadAll },
      { to: '/instances/$id/scheduled', word: 'scheduled', icon: Clock, isFor: mayReadAll },
      { to: '/instances/$id/opt-outs', word: 'optOuts', icon: UserRoundX, isFor: mayReadAll },
      { to: '/instances/$id/quick-replies', word: 'quickReplies', icon: Zap, isFor: mayReadAll },
    ],
  },
  {
    word: 'automation',
    pages: [
      { to: '/instances/$id/agents', word: 'agents', icon: Bot, isFor: mayReadAll },
      { to: '/instances/$id/agents', word: 'triggers', view: 'triggers', icon: Split, isFor: mayReadAll },
      { to: '/instances/$id/knowledge', word: 'knowledge', icon: BookOpen, isFor: mayReadAll },
      { to: '/instances/$id/functions', word: 'functions', icon: FileCode2, isFor: mayReadAll },
    ],
  },
  {
    word: 'connect',
    pages: [
      { to: '/instances/$id', word: 'connection', icon: ScanQrCode },
      { to: '/instances/$id/account', word: 'account', icon: Building2, isFor: mayReadAll },
      { to: '/instances/$id/webhooks', word: 'webhooks', icon: Webhook, isFor: mayConnect },
      { to: '/instances/$id/events', word: 'events', icon: Radio, isFor: mayReadAll },
      { to: '/instances/$id/chatwoot', word: 'chatwoot', icon: MessagesSquare, isFor: mayConnect },
      { to: '/instances/$id/keys', word: 'keys', icon: KeyRound, isFor: mayConnect },
      { to: '/instances/$id/api', word: 'api', icon: SquareTerminal, isFor: mayReadAll },
    ],
  },
  { pages: [{ to: '/instances/$id/settings', word: 'settings', icon: Settings, isFor: mayConnect }] },
]

export const instancePages: readonly InstancePage[] = instanceGroups.flatMap(({ pages }) => pages)

export const adminPages: readonly PageLink<AdminPath>[] = [
  { to: '/overview', word: 'overview', icon: Gauge },
  { to: '/instances', word: 'instances', icon: Smartphone },
  { to: '/cluster', word: 'cluster', icon: Network },
  { to: '/audit', word: 'audit', icon: ClipboardList },
  { to: '/webhooks', word: 'globalWebhooks', icon: Webhook },
]
