/** The needs of the API, which `runtime/node/api.ts` fills. Types only. */

import type { CommandRouter } from '../actors/operations/router.js'
import type { AgentChecks, AgentDirectory } from '../schemas/agents/records.js'
import type { MessageIds } from '../schemas/message-id.js'
import type { AccessKeys, AdminTokens, Passes } from '../schemas/ports/access.js'
import type {
  AgentKnowledge,
  AgentTrials,
  FunctionTrials,
  KnowledgeDirectory,
  KnowledgeKeys,
  Transcriptions,
  TurnDirectory,
} from '../schemas/ports/agents.js'
import type { BulkJobs } from '../schemas/ports/bulk-jobs.js'
import type { RecipientImports } from '../schemas/ports/campaign-imports.js'
import type { CampaignDirectory } from '../schemas/ports/campaigns.js'
import type {
  ChatDirectory,
  ContactDirectory,
  GroupDirectory,
  MessageDirectory,
  ScheduledDirectory,
} from '../schemas/ports/chats.js'
import type { ChatwootDirectory } from '../schemas/ports/chatwoot.js'
import type { ClusterView, Health, ReadingDirectory } from '../schemas/ports/cluster.js'
import type { DialectInstances } from '../schemas/ports/dialects.js'
import type { FigureDirectory } from '../schemas/ports/figures.js'
import type { InstanceDirectory, ProxyDirectory } from '../schemas/ports/instances.js'
import type { LinkPreviews, MediaService } from '../schemas/ports/media.js'
import type { AgentRecords, LabelDirectory, QuickReplyDirectory, Suppressions } from '../schemas/ports/records.js'
import type { AuditLog, KeptAnswers, RequestDirectory } from '../schemas/ports/requests.js'
import type { TrafficDirectory } from '../schemas/ports/traffic.js'
import type { InstanceTransfer, SessionImports } from '../schemas/ports/transfer.js'
import type { EventStreams, WebhookDirectory } from '../schemas/ports/webhooks.js'

export interface ApiPorts {
  readonly router: CommandRouter
  readonly instances: InstanceDirectory
  readonly dialects: DialectInstances
  readonly transfer: InstanceTransfer
  readonly proxies: ProxyDirectory
  readonly sessions: SessionImports
  readonly messages: MessageDirectory
  readonly scheduled: ScheduledDirectory
  readonly campaigns: CampaignDirectory
  readonly chats: ChatDirectory
  readonly contacts: ContactDirectory
  readonly labels: LabelDirectory
  readonly quickReplies: QuickReplyDirectory
  readonly suppressions: Suppressions
  readonly recipientImports: RecipientImports
  readonly groups: GroupDirectory
  readonly agentRecords: AgentRecords
  readonly functionTrials: FunctionTrials
  readonly knowledge: KnowledgeDirectory
  readonly agentKnowledge: AgentKnowledge
  readonly agentTrials: AgentTrials
  readonly agents: AgentDirectory
  readonly agentTurns: TurnDirectory
  readonly agentChecks: AgentChecks
  readonly knowledgeKeys: KnowledgeKeys
  readonly bulkJobs: BulkJobs
  readonly webhooks: WebhookDirectory
  readonly chatwoot: ChatwootDirectory
  readonly streams: EventStreams
  readonly health: Health
  readonly figures: FigureDirectory
  readonly readings: ReadingDirectory
  readonly traffic: TrafficDirectory
  readonly linkPreviews: LinkPreviews
  readonly media: MediaService
  readonly transcriptions: Transcriptions
  readonly cluster: ClusterView
  readonly adminTokens: AdminTokens
  readonly accessKeys: AccessKeys
  readonly passes: Passes
  readonly audit: AuditLog
  readonly requests: RequestDirectory
  readonly keptAnswers: KeptAnswers
  readonly messageIds: Pick<MessageIds, 'ofKey'>
}
