using System.Text.Json;
using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Json;

namespace MgbaBridge.Gateway.Operations;

/// <summary>Everything that can be an item of a batch.</summary>
/// <param name="all">The entries.</param>
internal sealed class BatchEntries(IReadOnlyList<BatchEntry> all)
{
    /// <summary>A list of items.</summary>
    public Parameter<BatchRequest> Items(int min, int max, string sentence) => new("items", sentence, new BatchItemsKind(all, min, max));

    private sealed class BatchItemsKind(IReadOnlyList<BatchEntry> all, int min, int max) : ParameterKind<BatchRequest>
    {
        public override ParameterShape Shape { get; } = new("array", $"a list of {min} to {max} items, as in [{{\"read\": {{\"location\": \"0x02000000\", \"type\": \"u8\"}}}}]")
        {
            Items = [.. all.Select(entry => entry.Value)],
        };

        private string Invalid => $"expected exactly one of {string.Join(", ", all.Select(entry => entry.Name))}.";

        internal override bool TryRead(ref Utf8JsonReader reader, out BatchRequest value)
        {
            var items = new BatchItems();
            var access = Access.Read;
            value = null!;
            if (reader.TokenType != JsonTokenType.StartArray)
            {
                return false;
            }

            while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
            {
                var count = items.Results.Count;
                if (count == max)
                {
                    throw new ParameterException($"there are more than {max} items.");
                }

                if (ReadItem(ref reader, items, ref access) is { } wrong)
                {
                    throw new ParameterException(wrong, $"$[{count}]");
                }
            }

            value = new BatchRequest(items, access);
            return items.Results.Count >= min;
        }

        private string? ReadItem(ref Utf8JsonReader reader, BatchItems items, ref Access access)
        {
            if (reader.TokenType != JsonTokenType.StartObject)
            {
                return Invalid;
            }

            var isGiven = false;
            while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
            {
                if (Find(ref reader) is not { } entry)
                {
                    return $"there is no {Parameter.Quote(reader.GetString()!)}; {Invalid}";
                }

                reader.Read();
                if (reader.TokenType == JsonTokenType.Null)
                {
                    continue;
                }

                if (isGiven)
                {
                    return Invalid;
                }

                if (entry.Read(ref reader, items) is { } wrong)
                {
                    return wrong;
                }

                isGiven = true;
                access = (Access)Math.Max((int)access, (int)entry.Access);
            }

            return isGiven ? null : Invalid;
        }

        private BatchEntry? Find(ref Utf8JsonReader reader)
        {
            foreach (var entry in all)
            {
                if (reader.ValueTextEquals(entry.Value.Utf8Name.Span))
                {
                    return entry;
                }
            }

            return null;
        }
    }
}
