using System.Globalization;

namespace MgbaBridge.Gateway.Interfaces.CommandLine;

/// <summary>
/// Ends the wait for a gateway that does not answer another request either. A response may take long, since a wait for the game may, and events are rare.
/// </summary>
/// <param name="http">Sends the requests.</param>
/// <param name="gateway">The gateway.</param>
/// <param name="silence">How long nothing may arrive before the gateway is asked whether it still answers.</param>
/// <param name="answer">How long it may take to answer that.</param>
internal sealed class SilenceLimit(HttpMessageInvoker http, Uri gateway, TimeSpan silence, TimeSpan answer)
{
    /// <summary>How long nothing may arrive, and how long the gateway may take to answer then.</summary>
    public static readonly TimeSpan Default = TimeSpan.FromSeconds(10);

    private readonly Uri _health = new(gateway, "/healthz");

    /// <summary>Waits for what the gateway sends.</summary>
    /// <exception cref="IOException">The gateway does not answer.</exception>
    public async Task<T> WaitAsync<T>(Func<CancellationToken, Task<T>> receive, CancellationToken cancellationToken)
    {
        using var ending = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var received = receive(ending.Token);
        while (!received.IsCompleted && await Task.WhenAny(received, Task.Delay(silence, ending.Token)) != received && !cancellationToken.IsCancellationRequested)
        {
            if (!await AnswersAsync(cancellationToken))
            {
                await ending.CancelAsync();
                await ((Task)received).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                if (!received.IsCompletedSuccessfully)
                {
                    throw new IOException(string.Create(CultureInfo.InvariantCulture, $"the program that listens there does not answer within {answer.TotalSeconds:0.###} s"));
                }
            }
        }

        return await received;
    }

    // one that refuses or closes the connection answers: it may have reached a limit, or be about to end
    private async Task<bool> AnswersAsync(CancellationToken cancellationToken)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(answer);
        using var request = new HttpRequestMessage(HttpMethod.Get, _health);
        try
        {
            using var response = await http.SendAsync(request, limit.Token);
            return true;
        }
        catch (HttpRequestException)
        {
            return true;
        }
        catch (OperationCanceledException)
        {
            return cancellationToken.IsCancellationRequested;
        }
    }
}
