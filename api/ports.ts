/** The needs of the API, which `runtime/node/api.ts` fills. Types only. */

import type { CommandRouter } from '../actors/operations/router.js'
import type { AgentChecks, AgentDirectory } from '../schemas/agents/records.js'
import type { MessageIds } from '../schemas/message-id.js'
import type { AgentTrials } from '../schemas/ports/agent-trials.js'
import type { TurnDirectory } from '../schemas/ports/agent-turns.js'
import type { AuditLog } from '../schemas/ports/audit.js'
import type { BulkJobs } from '../schemas/ports/bulk-jobs.js'
import type { RecipientImports } from '../schemas/ports/campaign-imports.js'
import type { CampaignDirectory } from '../schemas/ports/campaigns.js'
import type { ChatDirectory } from '../schemas/ports/chats.js'
import type { ChatwootDirectory } from '../schemas/ports/chatwoot.js'
import type { ClusterView, Health } from '../schemas/ports/cluster.js'
import type { ContactDirectory } from '../schemas/ports/contacts.js'
import type { DialectInstances } from '../schemas/ports/dialects.js'
import type { FigureDirectory } from '../schemas/ports/figures.js'
import type { FunctionTrials } from '../schemas/ports/function-trials.js'
import type { GroupDirectory } from '../schemas/ports/groups.js'
import type { InstanceDirectory } from '../schemas/ports/instances.js'
import type { KeptAnswers } from '../schemas/ports/kept-answers.js'
import type { AccessKeys, AdminTokens } from '../schemas/ports/keys.js'
import type { AgentKnowledge, KnowledgeDirectory, KnowledgeKeys } from '../schemas/ports/knowledge.js'
import type { LinkPreviews, MediaService } from '../schemas/ports/media.js'
import type { MessageDirectory } from '../schemas/ports/messages.js'
import type { Passes } from '../schemas/ports/passes.js'
import type { ProxyDirectory } from '../schemas/ports/proxies.js'
import type { ReadingDirectory } from '../schemas/ports/readings.js'
import type { AgentRecords, LabelDirectory, QuickReplyDirectory } from '../schemas/ports/records.js'
import type { RequestDirectory } from '../schemas/ports/request-log.js'
import type { ScheduledDirectory } from '../schemas/ports/scheduled.js'
import type { SessionImports } from '../schemas/ports/sessions.js'
import type { Suppressions } from '../schemas/ports/suppression.js'
import type { TrafficDirectory } from '../schemas/ports/traffic.js'
import type { Transcriptions } from '../schemas/ports/transcription.js'
import type { InstanceTransfer } from '../schemas/ports/transfer.js'
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
