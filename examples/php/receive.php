<?php
// Receives webhooks and prints messages: WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:8080 receive.php, and name that address in POST /webhook.

function isSigned(string $secret, string $body): bool
{
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $time = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if ($id === '' || !preg_match('/^\d+$/D', $time) || abs(time() - (int) $time) > 300) {
        return false;
    }
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$time.$body", $key, true));
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $one) {
        if (hash_equals($expected, $one)) {
            return true;
        }
    }
    return false;
}

$body = file_get_contents('php://input');
if (!isSigned(getenv('WEBHOOK_SECRET'), $body)) {
    http_response_code(400);
    return;
}
// In a real program: store the event with its eventId as a unique key, before the answer.
$event = json_decode($body, true);
if ($event['EventType'] === 'messages') {
    $line = json_encode(['from' => $event['message']['sender'], 'text' => $event['message']['text']]);
    file_put_contents('php://stdout', "$line\n");
}
http_response_code(204);
