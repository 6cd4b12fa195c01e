/** Every operation, in the order of the documentation. An area's index lists its operations. */
import type { Route } from './route.js'
import { adminRoutes } from './routes/admin/index.js'
import { agentRoutes } from './routes/agent/index.js'
import { businessRoutes } from './routes/business/index.js'
import { callRoutes } from './routes/call/index.js'
import { senderRoutes } from './routes/campaigns/index.js'
import { chatRoutes } from './routes/chat/index.js'
import { chatwootRoutes } from './routes/chatwoot/index.js'
import { communityRoutes } from './routes/community/index.js'
import { contactRoutes } from './routes/contact/index.js'
import { contactsRoutes } from './routes/contacts/index.js'
import { dashboardRoutes } from './routes/dashboard/index.js'
import { functionRoutes } from './routes/function/index.js'
import { globalwebhookRoutes } from './routes/globalwebhook/index.js'
import { groupRoutes } from './routes/group/index.js'
import { instanceRoutes } from './routes/instance/index.js'
import { knowledgeRoutes } from './routes/knowledge/index.js'
import { labelRoutes } from './routes/label/index.js'
import { mediaRoutes } from './routes/media/index.js'
import { messageRoutes } from './routes/message/index.js'
import { newsletterRoutes } from './routes/newsletter/index.js'
import { passRoutes } from './routes/pass/index.js'
import { profileRoutes } from './routes/profile/index.js'
import { quickreplyRoutes } from './routes/quickreply/index.js'
import { sendRoutes } from './routes/send/index.js'
import { serviceRoutes } from './routes/service/index.js'
import { streamRoutes } from './routes/stream/index.js'
import { suppressionRoutes } from './routes/suppression/index.js'
import { triggerRoutes } from './routes/trigger/index.js'
import { webhookRoutes } from './routes/webhook/index.js'

export const routes: readonly Route[] = [
  ...instanceRoutes,
  ...adminRoutes,
  ...passRoutes,
  ...profileRoutes,
  ...businessRoutes,
  ...sendRoutes,
  ...senderRoutes,
  ...messageRoutes,
  ...mediaRoutes,
  ...callRoutes,
  ...chatRoutes,
  ...labelRoutes,
  ...quickreplyRoutes,
  ...suppressionRoutes,
  ...contactsRoutes,
  ...contactRoutes,
  ...groupRoutes,
  ...communityRoutes,
  ...newsletterRoutes,
  ...agentRoutes,
  ...triggerRoutes,
  ...functionRoutes,
  ...knowledgeRoutes,
  ...webhookRoutes,
  ...globalwebhookRoutes,
  ...chatwootRoutes,
  ...streamRoutes,
  ...serviceRoutes,
  ...dashboardRoutes,
]
