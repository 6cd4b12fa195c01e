<?php
// Sends buttons and waits for the answer, through lost connections and restarts of the gateway.
require __DIR__ . '/posthorn.php';

$menu = ['number' => getenv('CUSTOMER'), 'type' => 'button', 'text' => 'Shall we deliver today?', 'choices' => ['Yes|yes', 'No|no']];
$key = bin2hex(random_bytes(16));
// The key makes it one menu, although the stream may open more than once.
$sent = '';
// The key makes it one menu, although the stream may open more than once.
$send = function () use ($menu, $key, &$sent): void {
    $sent = call('POST', '/send/menu', $menu, $key)['messageid'];
    echo "sent $sent\n";
};
foreach (events('messages', $send) as $event) {
    if ($event['message']['quoted'] === $sent) {
        echo json_encode(['choice' => $event['message']['buttonOrListid']]), "\n";
        break;
    }
}
