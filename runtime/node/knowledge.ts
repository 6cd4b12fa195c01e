import type { VectorSpace } from '../../schemas/agents/knowledge-content.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { AgentKnowledge } from '../../schemas/ports/agents.js'
import { createExtractor, type Extractor } from '../agents/extract/extractor.js'
import { createKnowledgeIndex, type KnowledgeIndex } from '../agents/knowledge/knowledge-index.js'
import { createKnowledgeSearch } from '../agents/knowledge/knowledge-search.js'
import { createEmbeddings } from '../agents/knowledge/provider-embeddings.js'
import { createVectorSearch } from '../agents/knowledge/vector-search.js'
import { createAgentDirectory } from '../store/agents/agent-directory.js'
import { createKnowledgeReader } from '../store/agents/knowledge-reader.js'
import { createKnowledgeWork } from '../store/agents/knowledge-work.js'
import { createNodeBudget } from './agents.js'
import type { Channels } from './channels.js'
import type { NodeContext } from './context.js'
import type { Stores } from './stores.js'

/** Knowledge of agents: what reads entries, and what finds them. */
export interface NodeKnowledge {
  readonly index: KnowledgeIndex
  readonly search: AgentKnowledge
  readonly extractor: Extractor
  /** Makes vectors again that failed, or were made by a model of which the instance has no key. */
  keysChanged(instance: InstanceId): Promise<void>
}

export async function startKnowledge(
  node: NodeContext,
  stores: Stores,
  { outgoing, models }: Channels,
): Promise<NodeKnowledge> {
  const { life, logger, events } = node
  const { database, encryption } = stores
  const vectors = await life.start(
    'search of vectors',
    () => createVectorSearch(),
    (search) => search.close(),
  )
  // It only reads, so that nobody has to hear of its writes.
  const keys = createAgentDirectory(database.pool, encryption, () => {})
  const embeddings = createEmbeddings(models, keys, createNodeBudget(node, stores))
  const work = createKnowledgeWork(database.lanes.jobs)
  const extractor = createExtractor({ work: node.work })
  const onOtherModel = (instance: InstanceId, space: VectorSpace | null): void => {
    work.requestVectors(instance, space).then(
      (isDue) => isDue && events.emit('knowledgeDue'),
      // The next search notices it too.
      () => {},
    )
  }
  const keysChanged = async (instance: InstanceId): Promise<void> => {
    const model = await embeddings.of(instance)
    // The server of an agent is asked by the index: it may take a minute.
    const space = model === null && (await embeddings.isPossible(instance)) ? 'unknown' : model
    if (await work.requestVectors(instance, space, true)) events.emit('knowledgeDue')
  }
  return {
    extractor,
    keysChanged,
    index: createKnowledgeIndex({ work, extractor, embeddings, outgoing, logger: logger.child({ part: 'knowledge' }) }),
    search: createKnowledgeSearch({ reader: createKnowledgeReader(database.pool), embeddings, vectors, onOtherModel }),
  }
}
