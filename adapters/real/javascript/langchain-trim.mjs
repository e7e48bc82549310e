/** LangChain JS: trimMessages of the package @langchain/core. */
import { coerceMessageLikeToMessage, trimMessages } from "@langchain/core/messages";

import { serve } from "../../javascript/floorcheck.mjs";
import { versionOf } from "./shared.mjs";

serve({
  name: "langchain-trim",
  version: versionOf("@langchain/core"),
  shape: "langchain",
  reduce: async (messages, targetTokens) => {
    const trimmed = await trimMessages(messages.map(coerceMessageLikeToMessage), {
      maxTokens: targetTokens,
      tokenCounter: countTokens,
      strategy: "last",
      includeSystem: true,
      startOn: "human",
    });
    return trimmed.filter((message) => message !== undefined); // it gives [undefined] where no message of the user fits
  },
});

/** Four characters are a token; the calls of a message count, as they do for a model. */
function countTokens(messages) {
  const characters = messages.map(({ text, tool_calls: calls = [] }) => text.length + (calls.length > 0 ? JSON.stringify(calls).length : 0));
  return Math.ceil(characters.reduce((sum, n) => sum + n, 0) / 4);
}
