using System.Text;
using Microsoft.AspNetCore.WebUtilities;

namespace MgbaBridge.Gateway.Interfaces.MgbaHttp;

/// <summary>
/// Reads the query of one request and records the first error. The texts of status 400 are those of mGBA-http's framework; as there,
/// they take precedence over refusals of the script.
/// </summary>
/// <param name="query">The raw query of the request line, with its question mark.</param>
internal ref struct QueryBinding(string? query)
{
    /// <summary>The status of the error; 0 for none.</summary>
    public int Status { get; private set; }

    /// <summary>The text of the error.</summary>
    public string Text { get; private set; } = "";

    /// <summary>All values of a parameter, decoded, in their order.</summary>
    public readonly ValueEnumerator ValuesOf(string name) => new(query, name);

    /// <summary>Finds the value of a parameter. Several values are joined with commas.</summary>
    public readonly bool TryFind(string name, out ReadOnlyMemory<char> value)
    {
        var values = ValuesOf(name);
        if (!values.MoveNext())
        {
            value = default;
            return false;
        }

        value = values.Current;
        StringBuilder? joined = null;
        while (values.MoveNext())
        {
            joined ??= new StringBuilder().Append(value);
            joined.Append(',').Append(values.Current);
        }

        value = joined?.ToString().AsMemory() ?? value;
        return true;
    }

    /// <summary>Finds it under its name, else under the name that it had in older versions.</summary>
    public readonly bool TryFind(string name, string? olderName, out ReadOnlyMemory<char> value) =>
        TryFind(name, out value) || (olderName is not null && TryFind(olderName, out value));

    /// <summary>A parameter is missing.</summary>
    public void RejectMissing(QueryParameter parameter) =>
        Fail(StatusCodes.Status400BadRequest, $"Required parameter \"{parameter.Type} {parameter.Name}\" was not provided from query string.");

    /// <summary>A value is not of its parameter's type.</summary>
    public void RejectUnreadable(QueryParameter parameter, ReadOnlySpan<char> value) =>
        Fail(StatusCodes.Status400BadRequest, $"Failed to bind parameter \"{parameter.Type} {parameter.Name}\" from \"{value}\".");

    /// <summary>A value exceeds a limit of the gateway.</summary>
    public void RejectTooLarge(string detail) => Fail(StatusCodes.Status400BadRequest, detail);

    /// <summary>A value that mGBA-http passes to its script, which then fails.</summary>
    public void RejectInScript(string detail) => Fail(StatusCodes.Status502BadGateway, MgbaHttpFailures.ScriptError(detail));

    private void Fail(int status, string text)
    {
        if (Status == 0 || (Status == StatusCodes.Status502BadGateway && status == StatusCodes.Status400BadRequest))
        {
            Status = status;
            Text = text;
        }
    }

    /// <summary>Enumerates the values of one parameter. Nothing is allocated for values that need no decoding.</summary>
    public ref struct ValueEnumerator(string? query, string name)
    {
        private QueryStringEnumerable.Enumerator _pairs = new QueryStringEnumerable(query).GetEnumerator();

        /// <summary>Itself, for <c>foreach</c>.</summary>
        public readonly ValueEnumerator GetEnumerator() => this;

        /// <summary>The value, decoded.</summary>
        public ReadOnlyMemory<char> Current { get; private set; }

        /// <summary>Goes to the next.</summary>
        public bool MoveNext()
        {
            while (_pairs.MoveNext())
            {
                var pair = _pairs.Current;
                if (pair.DecodeName().Span.Equals(name, StringComparison.OrdinalIgnoreCase))
                {
                    Current = pair.DecodeValue();
                    return true;
                }
            }

            return false;
        }
    }
}
