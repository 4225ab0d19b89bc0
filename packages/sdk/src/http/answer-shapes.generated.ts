/** What every route answers with, made from docs/openapi.json; `check-shape.ts` says how a shape is read. */

export const answerShapes: { readonly [route: string]: string } = {
  "DELETE /auth/:providerId": "{}",
  "DELETE /permission/rule/:ruleId": "{}",
  "DELETE /pty/:ptyId": "{}",
  "DELETE /session/:sessionId": "{}",
  "DELETE /session/:sessionId/checkpoint": '{"goal":"string"}',
  "DELETE /session/:sessionId/message/:messageId": "{}",
  "DELETE /session/:sessionId/prompt/:promptId": "{}",
  "DELETE /session/:sessionId/shell": "{}",
  "GET /command": '{"commands":[{"name":"string","summary":"string"}]}',
  "GET /config":
    '{"settings":{},"entries":[{"key":"string","value":"any","layer":"string","file?":"string","line?":"number"}],"warnings":["string"]}',
  "GET /doc": '{"openapi":"string","*":"any"}',
  "GET /doctor": '{"checks":["#DoctorCheck"]}',
  "GET /event": '"#EventFrame"',
  "GET /file": '{"path":"string","mimeType":"string","encoding":"string","content":"string","isSecret?":"boolean"}',
  "GET /file/list":
    '{"entries":[{"path":"string","kind":"string","bytes?":"number","isIgnored?":"boolean"}],"isCut":"boolean"}',
  "GET /file/status": '{"files":["#VcsFile"]}',
  "GET /find": '{"hits":[{"path":"string","line":"number","text":"string"}],"isCut":"boolean"}',
  "GET /find/file": '{"paths":["string"],"isCut":"boolean"}',
  "GET /global":
    '{"pid":"number","version":"string","protocol":"string","projectHash":"string","startedAt":"number","directory":"string","instances":[{"directory":"string","projectId":"string","openedAt":"number","clients":"number"}]}',
  "GET /global/event": '"#EventFrame"',
  "GET /global/health":
    '{"ok":"boolean","protocol":"string","projectHash?":"string","version?":"string","pid?":"number"}',
  "GET /global/sync-event": '"#EventFrame"',
  "GET /log": '{"lines":[{"time":"number","level":"string","text":"string"}]}',
  "GET /path": '{"home":"string","data":"string","directory":"string","root":"string"}',
  "GET /permission": '{"requests":["#PermissionRequest"]}',
  "GET /permission/rule": '{"rules":["#ListedRule"]}',
  "GET /project":
    '{"projectId":"string","directory":"string","root":"string","isGitRepository":"boolean","isTrusted":"boolean","model?":"string","mode":"string","scope?":"string"}',
  "GET /provider":
    '{"model?":"string","providers":[{"providerId":"string","name":"string","hasKey":"boolean","keySource?":"string","models":[{"model":"string","name":"string","contextTokens?":"number","outputTokens?":"number","inputUsdPerMillion?":"number","outputUsdPerMillion?":"number","hasTools?":"boolean","hasReasoning?":"boolean","hasVision?":"boolean"}]}]}',
  "GET /provider/server": '{"servers":[{"providerId":"string","name":"string","url":"string","models":["string"]}]}',
  "GET /pty": '{"terminals":["#Terminal"]}',
  "GET /pty/:ptyId":
    '{"ptyId":"string","command":"string","directory":"string","columns":"number","rows":"number","startedAt":"number","cursor":"number","exitCode?":"number","screen":"string"}',
  "GET /question":
    '{"requests":[{"sessionId":"string","requestId":"string","questions":[{"question":"string","options":[{"label":"string","description":"string"}],"multiSelect?":"boolean"}]}]}',
  "GET /search": '{"hits":["#SearchHit"]}',
  "GET /session": '{"sessions":["#SessionSummary"],"next?":"string"}',
  "GET /session/:sessionId": '{"session":"#Session","status":"#SessionStatus","lastSeq":"number"}',
  "GET /session/:sessionId/children": '{"sessions":["#SessionSummary"],"next?":"string"}',
  "GET /session/:sessionId/context":
    '{"model":"string","windowTokens":"number","tokens":"number","isMeasured":"boolean","compactAt":"number","overflowAt":"number","parts":[{"name":"string","tokens":"number"}]}',
  "GET /session/:sessionId/cost":
    '{"total":"#Cost","usage":"#Usage","byModel":{"*":{"usage":"#Usage","cost":"#Cost"}},"turns":"number","children?":{"sessions":"number","usage":"#Usage","cost":"#Cost"}}',
  "GET /session/:sessionId/diff":
    '{"files":[{"path":"string","status":"string","additions":"number","deletions":"number","patch":"string"}]}',
  "GET /session/:sessionId/export": '{"text":"string"}',
  "GET /session/:sessionId/fact": '{"facts":["#FactRecord"],"next?":"number"}',
  "GET /session/:sessionId/message": '{"messages":["#Message"],"before?":"string"}',
  "GET /session/:sessionId/message/:messageId": '{"message":"#Message"}',
  "GET /session/:sessionId/todo": '{"todos":["#Todo"]}',
  "GET /session/:sessionId/verify": '"#VerifyReport"',
  "GET /session/status": '{"sessions":{"*":"#SessionStatus"}}',
  "GET /task": '{"tasks":["#Task"]}',
  "GET /task/:taskId":
    '{"sessionId":"string","taskId":"string","command":"string","status":"string","result?":"string","output":"string"}',
  "GET /tool": '{"tools":[{"name":"string","description":"string","inputSchema":{}}]}',
  "GET /usage": '"#UsageSummary"',
  "GET /vcs": '{"branch?":"string","commit?":"string","ahead?":"number","behind?":"number","files":["#VcsFile"]}',
  "GET /vcs/diff": '{"text":"string","isCut":"boolean"}',
  "PATCH /config": '{"file":"string"}',
  "PATCH /session/:sessionId": "{}",
  "PATCH /session/:sessionId/prompt/:promptId": "{}",
  "POST /auth/:providerId/check": '{"isGood":"boolean","sentence":"string","isUnchecked?":"boolean"}',
  "POST /auth/code": '{"code":"string","expiresAt":"number","url":"string"}',
  "POST /auth/ticket": '{"ticket":"string","expiresAt":"number"}',
  "POST /config/reload": '{"changed":["string"],"warnings":["string"]}',
  "POST /instance/dispose": "{}",
  "POST /log": "{}",
  "POST /permission/:requestId": "{}",
  "POST /permission/rule": '{"ruleId":"string"}',
  "POST /pty": '"#Terminal"',
  "POST /question/:requestId": "{}",
  "POST /session": '{"sessionId":"string"}',
  "POST /session/:sessionId/abort": "{}",
  "POST /session/:sessionId/close": "{}",
  "POST /session/:sessionId/command": '{"runId":"string"}',
  "POST /session/:sessionId/compact": '{"shortSummary":"string","tokensBefore":"number","tokensAfter":"number"}',
  "POST /session/:sessionId/continue": '{"runId":"string"}',
  "POST /session/:sessionId/fork": '{"sessionId":"string"}',
  "POST /session/:sessionId/handoff": '{"sessionId":"string"}',
  "POST /session/:sessionId/leaf": '{"leafId?":"string","promptText?":"string"}',
  "POST /session/:sessionId/message": '{"messageId":"string"}',
  "POST /session/:sessionId/prompt":
    '{"promptId":"string","runId":"string","result":"#RunEnded","message?":"#Message"}',
  "POST /session/:sessionId/redo": '{"files":["#FileChange"]}',
  "POST /session/:sessionId/resume": '{"sessionId":"string","interrupted":"boolean","notice?":"string"}',
  "POST /session/:sessionId/retry": "{}",
  "POST /session/:sessionId/revert":
    '{"promptText":"string","attachments?":["#Media"],"files":["#FileChange"],"uncovered":["string"]}',
  "POST /session/:sessionId/shake": '{"resultCount":"number","tokensFreed":"number"}',
  "POST /session/:sessionId/shell": '{"exitCode?":"number","signal?":"string","output":"string"}',
  "POST /session/:sessionId/undo":
    '{"promptText":"string","attachments?":["#Media"],"files":["#FileChange"],"uncovered":["string"]}',
  "POST /session/:sessionId/unrevert": '{"files":["#FileChange"]}',
  "POST /task/:taskId/stop": "{}",
  "PUT /auth/:providerId": "{}",
  "PUT /config": '{"file":"string"}',
  "PUT /session/:sessionId/grants": "{}",
  "PUT /session/:sessionId/label/:entryId": "{}",
  "PUT /session/:sessionId/mode": "{}",
  "PUT /session/:sessionId/model": '{"model":"string"}',
};

export const namedShapes: { readonly [name: string]: string } = {
  Cost: '{"usd":"number","estimated":"boolean"}',
  DoctorCheck: '{"name":"string","state":"string","sentence":"string","next?":"string"}',
  EventFrame: '{"id":"string","type":"string","directory":"string","sessionID?":"string","*":"any"}',
  FactRecord:
    '{"sessionId":"string","seq":"number","time":"number","fact":{"type":"string","*":"any"},"digest?":"string","removed?":"boolean","prev":"string","hash":"string"}',
  Failure:
    '{"code":"string","message":"string","recovery?":"string","retryable":"boolean","status?":"number","requestId?":"string","retryAfterMs?":"number","resetAtMs?":"number","overflow?":{"inputTokens":"number","limitTokens":"number"}}',
  FileChange: '{"path":"string","status":"string"}',
  ListedRule: '{"permission":"string","pattern":"string","action":"string","ruleId?":"string","source":"string"}',
  Media: '{"name":"string","mediaType":"string","base64":"string","detail?":"string"}',
  Message:
    '{"id":"string","sessionId":"string","role":"string","isQueued?":"boolean","treeParent?":"string","parentId?":"string","model?":"string","isSummary?":"boolean","createdAt":"number","completedAt?":"number","stopReason?":"string","usage?":"#Usage","cost?":"#Cost","failure?":"#Failure","parts":["#Part"]}',
  Part: '{"|":[{"id":"string","messageId":"string","time":"number","type":"=text","text":"string","isSynthetic?":"boolean","isIgnored?":"boolean"},{"id":"string","messageId":"string","time":"number","type":"=reasoning","text":"string"},{"id":"string","messageId":"string","time":"number","type":"=tool","callId":"string","tool":"string","state":"#ToolPartState","parentCallId?":"string"},{"id":"string","messageId":"string","time":"number","type":"=file","media":"#Media"},{"id":"string","messageId":"string","time":"number","type":"=compaction","trigger":"string","shortSummary":"string","tokensBefore":"number","tokensAfter":"number","itemsReplaced":"number","firstKeptId?":"string","boundary":{}},{"id":"string","messageId":"string","time":"number","type":"=subtask","prompt":"string","description":"string","agent":"string"},{"id":"string","messageId":"string","time":"number","type":"=snapshot","tree":"string"},{"id":"string","messageId":"string","time":"number","type":"=patch","before":"string","files":["#FileChange"],"uncovered?":["string"]},{"id":"string","messageId":"string","time":"number","type":"=agent","name":"string"},{"id":"string","messageId":"string","time":"number","type":"=retry","retry":{"attempt":"number","code":"string","status?":"number","delayMs":"number"}},{"id":"string","messageId":"string","time":"number","type":"=step-start","snapshot?":"string"},{"id":"string","messageId":"string","time":"number","type":"=step-finish","reason?":"string","snapshot?":"string","usage":"#Usage","cost":"#Cost"}]}',
  PermissionRequest:
    '{"sessionId":"string","requestId":"string","callId":"string","tool":"string","permission":"string","patterns":["string"],"always":["string"],"reason":"string","preview?":"string","inputText?":"string","evidence?":["string"],"isIrreversible?":"boolean","isSavable?":"boolean","saves?":[{"permission":"string","pattern":"string","action":"string"}]}',
  Problem: '{"error":{"code":"string","message":"string","recovery?":"string","retryable?":"boolean"}}',
  RunEnded:
    '{"type":"string","runId":"string","reason":"string","text":"string","structured?":"any","usage":"#Usage","usageByModel":{"*":"#Usage"},"cost":"#Cost","turns":"number","durationMs":"number","transitions":["string"],"denials":[{"callId":"string","tool":"string","reason":"string"}],"stopReason?":"string","budget?":"string","failure?":"#Failure","emptyAnswer?":"boolean","pressure?":"string"}',
  RunOptions:
    '{"turnsMax?":"number","budgetUsdMax?":"number","tokensMax?":"number","stepsMax?":"number","answerSchema?":{},"reasoning?":{"effort?":"string","tokensMax?":"number"},"fallbackModel?":"string"}',
  SearchHit:
    '{"sessionId":"string","messageId":"string","title":"string","time":"number","role":"string","tool?":"string","snippet":"string"}',
  Session:
    '{"id":"string","projectId":"string","directory":"string","title":"string","model":"string","mode":"string","origin?":{"kind":"string","sessionId":"string","callId?":"string","leafId?":"string","usd?":"number"},"leafId?":"string","isRunning":"boolean","isArchived":"boolean","isDeleted?":"boolean","revert?":{"messageId":"string","only?":"string","snapshot":"string","files":["#FileChange"]},"todos":["#Todo"],"labels":[{"messageId":"string","label":"string"}],"usage":"#Usage","cost":"#Cost","createdAt":"number","updatedAt":"number"}',
  SessionStatus: '{"state":"string","until?":"number","attempt?":"number","attemptsMax?":"number","reason?":"string"}',
  SessionSummary:
    '{"sessionId":"string","parentId?":"string","isArchived":"boolean","projectId":"string","directory":"string","title":"string","model":"string","createdAt":"number","updatedAt":"number","lastSeq":"number"}',
  Task: '{"sessionId":"string","taskId":"string","command":"string","status":"string","result?":"string"}',
  Terminal:
    '{"ptyId":"string","command":"string","directory":"string","columns":"number","rows":"number","startedAt":"number","cursor":"number","exitCode?":"number"}',
  Todo: '{"content":"string","status":"string","priority":"string"}',
  ToolPartState:
    '{"|":[{"status":"=pending","raw":"string"},{"status":"=running","input":"string","startedAt":"number"},{"status":"=completed","input":"string","output":"string","title?":"string","metadata?":{},"attachments?":["#Media"],"startedAt?":"number","endedAt":"number","compactedAt?":"number"},{"status":"=error","input":"string","error":"string","metadata?":{},"startedAt?":"number","endedAt":"number"}]}',
  Usage:
    '{"input":"number","output":"number","reasoning":"number","cacheRead":"number","cacheWrite":"number","webSearches?":"number"}',
  UsageSummary:
    '{"steps":"number","usage":"#Usage","cost":"#Cost","sessions":"number","cacheHitShare":"number","cacheMisses":{"count":"number","tokens":"number","usd":"number"},"beside":[{"kind":"string","calls":"number","usage":"#Usage","cost":"#Cost"}],"models":[{"steps":"number","usage":"#Usage","cost":"#Cost","model":"string","cacheHitShare":"number"}],"projects":[{"steps":"number","usage":"#Usage","cost":"#Cost","projectId":"string","directory":"string","sessions":"number"}],"tools":[{"completed":"number","failed":"number","refused":"number","interrupted":"number","tool":"string","calls":"number","successRate":"number"}],"days":[{"steps":"number","usage":"#Usage","cost":"#Cost","day":"string"}],"unreadable":["string"]}',
  VcsFile: '{"path":"string","index":"string","worktree":"string"}',
  VerifyReport:
    '{"sessionId":"string","valid":"boolean","records":"number","payloadsRemoved":"number","truncated":"boolean","signature?":"string","signedSeq?":"number","tampered?":"boolean","problem?":{"seq":"number","what":"string"}}',
};
