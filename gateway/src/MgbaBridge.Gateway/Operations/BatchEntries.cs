using System.Text.Json;
using MgbaBridge.Gateway.Json;

namespace MgbaBridge.Gateway.Operations;

/// <summary>Everything that can be an item of a batch.</summary>
/// <param name="guard">The entry that is no operation.</param>
/// <param name="operations">The operations, some of which can be items.</param>
internal sealed class BatchEntries(BatchEntry guard, IReadOnlyList<Operation> operations)
{
    /// <summary>A list of items.</summary>
    public Parameter<BatchRequest> Items(int min, int max, string sentence) => new("items", sentence, new BatchItemsKind([guard, .. Entries], operations, min, max));

    /// <summary>A list of items all of which the script runs.</summary>
    public Parameter<BatchRequest> Commands(int max, string sentence) => new("items", sentence, new BatchItemsKind([guard, .. Entries.Where(entry => !entry.IsOfGateway)], operations, 0, max));

    /// <summary>What a caller may hold after items.</summary>
    public Held Holds => operations.Where(operation => operation.Batch is not null).Aggregate(Held.None, static (held, operation) => held | operation.Holds);

    private IEnumerable<BatchEntry> Entries => operations.Select(operation => operation.Batch).OfType<BatchEntry>();

    private sealed class BatchItemsKind(IReadOnlyList<BatchEntry> all, IReadOnlyList<Operation> operations, int min, int max) : ParameterKind<BatchRequest>
    {
        public override ParameterShape Shape { get; } = new("array", $"a list of {min} to {max} items, as in [{{\"read\": {{\"location\": \"0x02000000\", \"type\": \"u8\"}}}}]")
        {
            MinItems = min,
            MaxItems = max,
            Items = [.. all.Select(entry => entry.Value)],
        };

        private string Invalid => $"expected exactly one of {string.Join(", ", all.Select(entry => entry.Name))}.";

        internal override bool TryRead(ref Utf8JsonReader reader, out BatchRequest value)
        {
            value = new BatchRequest();
            if (reader.TokenType != JsonTokenType.StartArray)
            {
                return false;
            }

            while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
            {
                var count = value.Count;
                if (count == max)
                {
                    throw new ParameterException($"there are more than {max} items.");
                }

                if (ReadItem(ref reader, value) is { } wrong)
                {
                    throw new ParameterException(wrong, $"$[{count}]");
                }
            }

            return value.Count >= min;
        }

        private string? ReadItem(ref Utf8JsonReader reader, BatchRequest batch)
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
                    return WhyNone(reader.GetString()!);
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

                if (entry.Read(ref reader, batch) is { } wrong)
                {
                    return wrong;
                }

                isGiven = true;
                batch.Access = (Access)Math.Max((int)batch.Access, (int)entry.Access);
            }

            return isGiven ? null : Invalid;
        }

        private string WhyNone(string name) => operations.FirstOrDefault(operation => operation.Name == name) is not { } operation
            ? $"there is no {Parameter.Quote(name)}; {Invalid}"
            : operation.Batch switch
            {
                null => $"{name} cannot be an item: {operation.WhyNoItem}.",
                { IsOfGateway: true } => $"{name} cannot be an item of a step: the gateway runs it. Request it after the step; the game stops until the next one.",
                { } entry => $"{name} is the item {entry.Name}.",
            };

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
