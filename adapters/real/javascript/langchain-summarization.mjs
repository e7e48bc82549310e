/** LangChain JS: summarizationMiddleware of the package langchain, in an agent. */
import { coerceMessageLikeToMessage } from "@langchain/core/messages";
import { summarizationMiddleware } from "langchain";

import { serve } from "../../javascript/floorcheck.mjs";
import { chatModel, delivered, KEEP_MESSAGES, versionOf } from "./shared.mjs";

serve({
  name: "langchain-summarization",
  version: versionOf("langchain"),
  shape: "langchain",
  triggerMessages: KEEP_MESSAGES + 3, // a system message, and two to be summarized
  model: true,
  reduce: (messages, targetTokens) => {
    const model = chatModel();
    const summarization = summarizationMiddleware({
      model,
      trigger: { tokens: Math.max(1, targetTokens) }, // it takes no 0
      keep: { messages: KEEP_MESSAGES },
    });
    return delivered(messages.map(coerceMessageLikeToMessage), model, [summarization]);
  },
});
