using System.Text.Json;

namespace MgbaBridge.Gateway.Names;

/// <summary>Where in a JSON text something stands.</summary>
internal static class JsonPlace
{
    /// <summary>The offset of the value at this path; of the last step that is there.</summary>
    public static long Of(ReadOnlySpan<byte> json, params ReadOnlySpan<string> path)
    {
        var reader = new Utf8JsonReader(json, new JsonReaderOptions { CommentHandling = JsonCommentHandling.Skip, AllowTrailingCommas = true });
        reader.Read();
        var found = reader.TokenStartIndex;
        foreach (var step in path)
        {
            if (!TryStep(ref reader, step))
            {
                break;
            }

            found = reader.TokenStartIndex;
        }

        return found;
    }

    private static bool TryStep(ref Utf8JsonReader reader, string name)
    {
        if (reader.TokenType != JsonTokenType.StartObject)
        {
            return false;
        }

        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            var found = reader.ValueTextEquals(name);
            reader.Read();
            if (found)
            {
                return true;
            }

            reader.Skip();
        }

        return false;
    }
}
