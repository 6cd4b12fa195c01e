<?php
// Makes an agent that answers people whose message has a word, with a language model. MODEL, MODEL_KEY, and MODEL_URL for servers like OpenAI's.
require __DIR__ . '/posthorn.php';

$url = getenv('MODEL_URL');
$agent = [
    'name' => 'Baker',
    ...($url ? ['provider' => 'custom', 'baseUrl' => $url] : ['provider' => 'openai']),
    'model' => getenv('MODEL'),
    'apikey' => getenv('MODEL_KEY') ?: '',
    'basePrompt' => 'You help customers of a bakery.',
];
$agentId = call('POST', '/agent/edit', ['agent' => $agent])['id'];
$trigger = ['type' => 'agent', 'agent_id' => $agentId, 'wordsToStart' => 'bread', 'responseDelay_seconds' => 0];
$triggerId = call('POST', '/trigger/edit', ['trigger' => $trigger])['id'];
call('POST', '/instance/updatechatbotsettings', ['chatbot_enabled' => true]);
echo json_encode(['agent' => $agentId, 'trigger' => $triggerId]), "\n";
