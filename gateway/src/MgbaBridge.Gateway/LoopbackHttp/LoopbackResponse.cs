using System.Globalization;
using System.Net;

namespace MgbaBridge.Gateway.LoopbackHttp;

/// <summary>Reads a response of HTTP/1.1.</summary>
internal static class LoopbackResponse
{
    /// <summary>Reads the status and the headers that verbs use; the body is read later.</summary>
    public static HttpResponseMessage Read(ReceivedBytes received)
    {
        var budget = ReceivedBytes.MaxLines;
        int status;
        string? type;
        long? length;
        bool isChunked;
        do
        {
            status = Status(received.Line(ref budget));
            (type, length, isChunked) = (null, null, false);
            while (received.Line(ref budget) is { Length: > 0 } line)
            {
                var colon = line.IndexOf(':', StringComparison.Ordinal);
                var (name, value) = colon > 0 ? (line[..colon], line[(colon + 1)..].Trim()) : throw Malformed($"\"{Start(line)}\" is not a header");
                if (name.Equals("Content-Type", StringComparison.OrdinalIgnoreCase))
                {
                    type = value;
                }
                else if (name.Equals("Content-Length", StringComparison.OrdinalIgnoreCase))
                {
                    length = long.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : throw Malformed($"its length is \"{Start(value)}\"");
                }
                else if (name.Equals("Transfer-Encoding", StringComparison.OrdinalIgnoreCase))
                {
                    isChunked = value.Equals("chunked", StringComparison.OrdinalIgnoreCase) ? true : throw Malformed($"its encoding is \"{Start(value)}\"");
                }
            }
        }
        while (status < 200);

        var content = new StreamContent(new ResponseBody(received, status is 204 or 304 ? 0 : isChunked ? null : length ?? long.MaxValue, isUntilTheEnd: length is null && !isChunked));
        if (type is not null)
        {
            content.Headers.TryAddWithoutValidation("Content-Type", type);
        }

        if (length is not null && !isChunked)
        {
            content.Headers.ContentLength = length;
        }

        return new HttpResponseMessage((HttpStatusCode)status) { Content = content };
    }

    /// <summary>The exception for a response that is not HTTP.</summary>
    public static HttpRequestException Malformed(string detail) => new($"the response is not HTTP: {detail}");

    private static int Status(string line) =>
        line.StartsWith("HTTP/1.", StringComparison.Ordinal) && line.Length >= 12 && line[8] == ' '
        && int.TryParse(line.AsSpan(9, 3), NumberStyles.None, CultureInfo.InvariantCulture, out var status) && status >= 100
            ? status
            : throw Malformed($"it starts with \"{Start(line)}\"");

    private static string Start(string text) => text.Length > 40 ? $"{text[..40]}..." : text;
}
