using System.Net;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace MgbaBridge.Gateway.Interfaces.OpenApi;

/// <summary>The AsyncAPI document as a page for people, beside that of the OpenAPI document.</summary>
internal static class MessagesPage
{
    private const string Head = """
        <!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>mGBA-bridge: messages</title>
        <style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}pre{overflow:auto;font-size:13px}
        summary{cursor:pointer}summary code{font-weight:bold}</style>

        """;

    private static readonly JsonSerializerOptions Indented = new() { WriteIndented = true, Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    /// <summary>The page.</summary>
    /// <param name="document">The document.</param>
    /// <param name="path">Where it is.</param>
    public static string Of(JsonObject document, string path)
    {
        var page = new StringBuilder(Head).Append("<h1>Messages</h1><p>").Append(Text(document["info"]!["description"])).Append($" <a href=\"/docs/\">The HTTP API</a> \u00B7 <a href=\"{path}\">AsyncAPI</a></p>");
        foreach (var (_, channel) in document["channels"]!.AsObject())
        {
            page.Append($"<h2><code>{Text(channel!["address"])}</code></h2><p>{Text(channel["description"])}</p>");
            foreach (var (_, message) in channel["messages"]!.AsObject())
            {
                var properties = message!["payload"]!["properties"];
                var name = properties?["op"]?["const"] ?? properties?["event"]?["const"] ?? message["name"];
                page.Append($"<details><summary>{(name is null ? "" : $"<code>{Text(name)}</code> ")}{Text(message["summary"])}</summary><pre>{WebUtility.HtmlEncode(message["payload"]!.ToJsonString(Indented))}</pre></details>");
            }
        }

        page.Append("<h2>Types</h2>");
        foreach (var (name, schema) in document["components"]!["schemas"]!.AsObject())
        {
            page.Append($"<details id=\"{Text(name)}\"><summary><code>{Text(name)}</code></summary><pre>{WebUtility.HtmlEncode(schema!.ToJsonString(Indented))}</pre></details>");
        }

        return page.ToString();
    }

    private static string Text(JsonNode? text) => WebUtility.HtmlEncode((string?)text) ?? "";
}
