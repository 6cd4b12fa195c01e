import type { Instance, UpdateChatbotSettingsRequest } from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { plainWord } from '../../../schemas/opt-out.js'
import { instanceRecord } from '../../answers/instance-record.js'
import { instanceRoute } from '../../route.js'
import { keyChange } from '../agent/fields.js'

export const updateChatbotSettings = instanceRoute<UpdateChatbotSettingsRequest>({
  method: 'POST',
  path: '/instance/updatechatbotsettings',
  name: 'updateChatbotSettings',
  area: 'Instance',
  scope: 'token',
  audited: true,
  summary: 'Choose whether and how agents answer',
  schema: 'instance/update-chatbot-settings.json',
  errors: ['INSTANCE_NOT_FOUND', 'INSTANCE_MOVING'],
  async handle({ instance, body }, { ports, options }): Promise<Instance> {
    const stopWord = body.chatbot_stopConversation?.trim()
    if (stopWord !== undefined && stopWord !== '' && plainWord(stopWord) === '')
      throw invalidField('chatbot_stopConversation', 'must hold a letter or a digit; an empty text takes the word away')
    // An owner that cannot be reached is noticed before anything is stored.
    await ports.router.ask(instance.id, { type: 'reloadAgents' })
    const chatbot = await ports.agents.saveSettings(instance.id, (former) => ({
      isEnabled: body.chatbot_enabled ?? former.isEnabled,
      ignoreGroups: body.chatbot_ignoreGroups ?? former.ignoreGroups,
      stopWord: stopWord ?? former.stopWord,
      stopMinutes: body.chatbot_stopMinutes ?? former.stopMinutes,
      ownMessageMinutes: body.chatbot_stopWhenYouSendMsg ?? former.ownMessageMinutes,
      key: keyChange(body.openai_apikey, former.openaiKeyMask, 'openai_apikey'),
    }))
    await ports.router.ask(instance.id, { type: 'reloadAgents' })
    return instanceRecord({ ...instance, chatbot }, options)
  },
})
